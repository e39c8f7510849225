"""More programs of asked_jobs.py, drawn when those of asked_programs.py had long been looked at: other ways to divide a
model, a batch or an update. All that a program draws for itself, it draws once, when it is made.
"""

from __future__ import annotations

from asked_programs import Program, reduce_gradients
from drawn_jobs import LOADER
from pytorch_program import (ELEMENTS_PER_US, Pace, backward, backward_pass, communicate, fetch, follow, forward,
                             read_loss, stall, update)
from traced_jobs import COMM, COMPUTE, GRADIENT, PRODUCT

TENSORS, TO_HOST, TO_DEVICE, INPUT = COMM + 1, 41, 42, 43  # streams


def exchange(rank, op, key, members, group, duration, thread="main", stream=COMM):
    """A collective of so many microseconds; returns what its result waits for."""
    elements = int(duration * ELEMENTS_PER_US) // len(members) * len(members)
    return communicate(rank, op, rank.job.collective((op, group, *key), duration), members, group, elements, stream,
                       thread=thread)


def copy(rank, direction, duration, stream, thread="main"):
    kind = "DtoH (Device -> Pinned)" if direction == "to host" else "HtoD (Pinned -> Device)"
    rank.kernel(f"Memcpy {kind}", duration, stream, thread, function="cudaMemcpyAsync", category="gpu_memcpy",
                bytes=int(20_000 * duration))


def forward_layers(rank, pace, layers, wrong):
    for layer in range(layers):
        forward(rank, pace)
        if layer == 1:
            stall(rank, wrong)


def tensor_parallel(draw):
    """Groups that gather each layer's sequence and scatter its result, and replicas of them."""
    pace, layers = Pace.drawn(draw), draw.randint(2, 4)
    size, replicas = draw.choice(((2, 2), (4, 1), (2, 4)))
    moving, reads, loading = draw.uniform(30, 250) * pace.scale, draw.random() < 0.6, draw.choice((60, 600))
    ranks = size * replicas

    def around(rank, op, key, thread="main"):
        group = rank.number // size
        done = exchange(rank, op, key, range(group * size, (group + 1) * size), f"tp{group}", moving, thread, TENSORS)
        rank.hold(COMPUTE, done, thread)

    def reduce(rank, key, thread):
        place = rank.number % size
        return exchange(rank, "all_reduce", key, range(place, ranks, size), f"dp{place}", 300 * pace.scale, thread)

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        for layer in range(layers):
            around(rank, "all_gather", (step, layer, "forward"))
            forward(rank, pace)
            around(rank, "reduce_scatter", (step, layer, "forward"))
            if layer == 1:
                stall(rank, wrong)
        reduced = []
        with backward_pass(rank) as thread:
            for layer in reversed(range(layers)):
                around(rank, "all_gather", (step, layer, "backward"), thread)
                backward(rank, pace, thread)
                around(rank, "reduce_scatter", (step, layer, "backward"), thread)
                if replicas > 1:
                    reduced.append(reduce(rank, (step, layer), thread))
        update(rank, pace, reduced)
        if reads:
            read_loss(rank)

    ops = ("all_gather", "reduce_scatter") + (("all_reduce",) if replicas > 1 else ())
    return Program(ranks, step_of, pace.step(layers) + 4 * layers * moving, ops, blocks=reads)


def offloaded_update(draw):
    """Gradients go to the host layer by layer, the update happens there, and weights come back."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(3, 5), draw.choice((2, 4))
    copying, updating = draw.uniform(80, 400) * pace.scale, draw.uniform(500, 3_000)
    is_by_layer = draw.random() < 0.5

    def step_of(rank, step, wrong):
        fetch(rank, 60, wrong)
        forward_layers(rank, pace, layers, wrong)
        copied = []
        with backward_pass(rank) as thread:
            for layer in reversed(range(layers)):
                backward(rank, pace, thread)
                rank.hold(TO_HOST, exchange(rank, "reduce_scatter", (step, layer), range(ranks), "0",
                                            200 * pace.scale, thread), thread)
                copy(rank, "to host", copying, TO_HOST, thread)
                copied.append(rank.record(TO_HOST, thread))
        if not is_by_layer:
            rank.synchronize(TO_HOST)
        for of_layer in copied:
            if is_by_layer:
                rank.await_event(of_layer)
            rank.host(updating / layers)
            copy(rank, "to device", copying / 2, TO_DEVICE)
        follow(rank, COMPUTE, TO_DEVICE)

    return Program(ranks, step_of, pace.step(layers) + updating, ("reduce_scatter",), snapshots=True)


def embeddings(draw):
    """A recommender: embeddings are exchanged beside the bottom layers, and their gradients beside the same layers'."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(2, 4), draw.choice((2, 4, 8))
    sending, reads, loading = draw.uniform(100, 900) * pace.scale, draw.random() < 0.5, draw.choice((60, 2_000))
    bottom = layers // 2 + 1

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        rank.kernel("void batched_embedding_lookup<float>(int)", 200 * pace.scale, cost=pace.cost,
                    operator="fbgemm::split_embedding_codegen_lookup")
        looked_up = exchange(rank, "all_to_all", (step, "forward"), range(ranks), "0", sending, stream=TENSORS)
        for _ in range(bottom):
            forward(rank, pace)
        stall(rank, wrong)
        rank.hold(COMPUTE, looked_up)
        for _ in range(layers):
            forward(rank, pace)
        with backward_pass(rank) as thread:
            for _ in range(layers):
                backward(rank, pace, thread)
            back = exchange(rank, "all_to_all", (step, "backward"), range(ranks), "0", sending, thread, TENSORS)
            for _ in range(bottom):
                backward(rank, pace, thread)
            reduced = exchange(rank, "all_reduce", (step,), range(ranks), "1", 300 * pace.scale, thread)
            rank.hold(COMPUTE, back, thread)
            rank.kernel("void batched_embedding_backward<float>(int)", 300 * pace.scale, thread=thread, cost=pace.cost,
                        operator="fbgemm::split_embedding_backward")
        update(rank, pace, [reduced])
        if reads:
            read_loss(rank)

    return Program(ranks, step_of, pace.step(1.6 * layers), ("all_to_all", "all_reduce"), blocks=reads)


def ring_attention(draw):
    """Each rank has a part of the sequence: keys and values go around while attention to the last part is computed."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(2, 3), draw.choice((2, 4))
    moving, reads = draw.uniform(50, 400) * pace.scale, draw.random() < 0.5

    def attend(rank, key, name, duration, thread="main"):
        for hop in range(ranks):
            arrived = []
            if hop < ranks - 1:
                arrived = exchange(rank, "all_to_all", (*key, hop), range(ranks), "cp", moving, thread, TENSORS)
            rank.kernel(f"flash_{name}_kernel", duration * pace.scale, thread=thread, cost=pace.cost,
                        operator=f"aten::_flash_attention_{name}")
            rank.hold(COMPUTE, arrived, thread)

    def step_of(rank, step, wrong):
        fetch(rank, 60, wrong)
        for layer in range(layers):
            rank.kernel(PRODUCT, 160 * pace.scale, operator="aten::mm", cost=pace.cost)
            attend(rank, (step, layer, "forward"), "forward", 300)
            if layer == 1:
                stall(rank, wrong)
        with backward_pass(rank) as thread:
            for layer in reversed(range(layers)):
                attend(rank, (step, layer, "backward"), "backward", 600, thread)
                rank.kernel(GRADIENT, 320 * pace.scale, thread=thread, operator="aten::mm", cost=pace.cost)
            reduced = exchange(rank, "all_reduce", (step,), range(ranks), "dp", 300 * pace.scale, thread)
        update(rank, pace, [reduced])
        if reads:
            read_loss(rank)

    return Program(ranks, step_of, 1_000 * layers * ranks * pace.scale, ("all_to_all", "all_reduce"), blocks=reads)


def prefetched_input(draw):
    """A thread prepares the next batch, without any call, and copies it on a stream of its own; the main thread takes
    it when it is there. Preparing may take longer than the step."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(3, 5), draw.choice((2, 4))
    preparing, reads = draw.choice((0.3, 0.8, 1.3)) * pace.step(layers), draw.random() < 0.6
    prepared = {}  # by rank: the thread's last act, and the event of its copy

    def prepare(rank, after=()):
        rank.host(preparing, "loader", after=after)
        copy(rank, "to device", 150, INPUT, "loader")
        prepared[rank] = rank.threads["loader"], rank.record(INPUT, "loader")

    def step_of(rank, step, wrong):
        rank.slowdown = 1 + wrong.get("slow_compute", 0)
        if rank not in prepared:
            prepare(rank)
        with rank.range(LOADER):
            done, copied = prepared[rank]
            rank.host(3, after=[done])
            rank.hold(COMPUTE, copied)
        prepare(rank, after=[rank.threads["main"]])
        forward_layers(rank, pace, layers, wrong)
        update(rank, pace, reduce_gradients(rank, step, pace, layers, 2))
        if reads:
            read_loss(rank)

    return Program(ranks, step_of, pace.step(layers), ("all_reduce",), causes=("slow_compute", "host_stall"),
                   blocks=reads)


def accumulated_gradients(draw):
    """Some batches a step; only the last one's backward pass reduces. Some programs evaluate in every third step."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(2, 3), draw.choice((2, 4))
    batches, reads, loading, evaluates = (draw.randint(2, 4), draw.random() < 0.6, draw.choice((60, 900)),
                                          draw.random() < 0.5)

    def step_of(rank, step, wrong):
        reduced = []
        for batch in range(batches):
            now = wrong if batch == 0 else {cause: wrong[cause] for cause in wrong if cause == "slow_compute"}
            fetch(rank, loading, now)
            forward_layers(rank, pace, layers, now)
            if batch == batches - 1:
                reduced = reduce_gradients(rank, step, pace, layers, 1)
            else:
                with backward_pass(rank) as thread:
                    for _ in range(layers):
                        backward(rank, pace, thread)
            if reads:
                read_loss(rank)
        update(rank, pace, reduced)
        if evaluates and step % 3 == 2:
            for _ in range(2 * layers):
                forward(rank, pace)
            read_loss(rank)

    return Program(ranks, step_of, batches * pace.step(layers), ("all_reduce",), blocks=reads)


def values_read_by_layer(draw):
    """The host reads a value back behind each layer, or each second one."""
    pace, layers, ranks, each = Pace.drawn(draw), draw.randint(3, 5), draw.choice((2, 4)), draw.randint(1, 2)

    def step_of(rank, step, wrong):
        fetch(rank, 100, wrong)
        for layer in range(layers):
            forward(rank, pace)
            if layer % each == 0:
                read_loss(rank)
            if layer == 1:
                stall(rank, wrong)
        update(rank, pace, reduce_gradients(rank, step, pace, layers, 1))
        read_loss(rank)

    return Program(ranks, step_of, pace.step(layers), ("all_reduce",))


def averaged_now_and_then(draw):
    """Local steps: ranks average their weights in every second or third one."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(3, 5), draw.choice((2, 4, 8))
    every, reads, loading = draw.randint(2, 3), draw.random() < 0.6, draw.choice((60, 900))

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        forward_layers(rank, pace, layers, wrong)
        with backward_pass(rank) as thread:
            for _ in range(layers):
                backward(rank, pace, thread)
        update(rank, pace)
        if step % every == every - 1:
            rank.hold(COMPUTE, exchange(rank, "all_reduce", (step,), range(ranks), "0", 900 * pace.scale))
        if reads:
            read_loss(rank)

    return Program(ranks, step_of, pace.step(layers), ("all_reduce",), blocks=reads)


def clipped_and_sharded_update(draw):
    """The host reads the norm of all ranks' gradients; each updates its part, and weights are gathered, perhaps beside
    the next step's first work."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(3, 5), draw.choice((2, 4, 8))
    gathering, is_beside, loading = draw.uniform(100, 600) * pace.scale, draw.random() < 0.5, draw.choice((60, 900))
    gathered = {}  # by rank

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        if is_beside and rank in gathered:
            rank.hold(COMPUTE, gathered[rank])
        forward_layers(rank, pace, layers, wrong)
        reduced = []
        with backward_pass(rank) as thread:
            for layer in reversed(range(layers)):
                backward(rank, pace, thread)
                reduced += exchange(rank, "reduce_scatter", (step, layer), range(ranks), "0", 250 * pace.scale, thread)
        rank.hold(COMPUTE, reduced)
        rank.kernel("void at::native::reduce_kernel<512, 1>(int)", 30, operator="aten::norm", cost=pace.cost)
        rank.hold(COMPUTE, exchange(rank, "all_reduce", (step,), range(ranks), "0", 15))
        read_loss(rank)
        update(rank, pace)
        gathered[rank] = exchange(rank, "all_gather", (step,), range(ranks), "0", gathering)
        if not is_beside:
            rank.hold(COMPUTE, gathered[rank])

    return Program(ranks, step_of, pace.step(layers) + gathering, ("reduce_scatter", "all_gather", "all_reduce"))
