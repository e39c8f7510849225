"""The programs of asked_jobs.py: what each rank does in a step. All that a program draws for itself, it draws once,
when it is made.
"""

from __future__ import annotations

import dataclasses
import typing

from drawn_jobs import EXPERT
from pytorch_program import (ELEMENTS_PER_US, Pace, backward, backward_pass, communicate, fetch, follow, forward,
                             read_loss, stall, update)
from traced_jobs import COMM, COMPUTE

UNSHARD, SCATTER, SCATTER_COMM, SNAPSHOT = 22, 23, 24, 33  # streams


@dataclasses.dataclass
class Program:
    ranks: int
    step_of: typing.Callable  # (rank, step, what goes wrong)
    length: float  # about, of a step
    ops: tuple  # whose speed can be asked about; none: messages
    alike: tuple = ()  # groups of ranks that do the same work; none: all ranks do
    causes: tuple = ("slow_compute", "host_stall", "data_wait")
    blocks: bool = True  # the host waits for the device
    snapshots: bool = False  # some steps copy the weights to the host

    def with_peers(self, *besides):
        """Ranks that do the same work as another, which is not one of those that are left out."""
        groups = [[rank for rank in group if rank not in besides] for group in self.alike or (range(self.ranks),)]
        return [rank for group in groups if len(group) > 1 for rank in group]


# --- data parallel --------------------------------------------------------------------------------------------------
def reduce_gradients(rank, step, pace, layers, bucket):
    """Layer by layer, an all-reduce behind each so many layers."""
    reduced = []
    with backward_pass(rank) as thread:
        for layer in reversed(range(layers)):
            backward(rank, pace, thread)
            if layer % bucket == 0:
                duration = 350 * bucket * pace.scale
                together = rank.job.collective((step, layer), duration)
                reduced.append(communicate(rank, "all_reduce", together, range(len(rank.job.ranks)), "0",
                                           duration * ELEMENTS_PER_US, thread=thread))
    return reduced


def overlapped_buckets(draw, ranks=(2, 4, 8), snapshots=()):
    """DDP; `snapshots`: steps whose weights a thread copies to the host."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(3, 6), draw.choice(ranks)
    bucket, loading, reads = draw.randint(1, 2), draw.choice((60, 400, 2_000)), draw.random() < 0.6 or bool(snapshots)
    is_awaited, is_read_first, size = draw.random() < 0.5, draw.random() < 0.5, draw.uniform(600, 6_000)

    def snapshot(rank):
        """A checkpoint's copies, on their own stream, from a thread of its own."""
        follow(rank, SNAPSHOT, COMPUTE)
        rank.host(5, "snapshot", after=[rank.host(5)])
        for _ in range(6):
            rank.host(40, "snapshot")
            rank.kernel("Memcpy DtoH (Device -> Pinned)", size / 6, SNAPSHOT, "snapshot", function="cudaMemcpyAsync",
                        category="gpu_memcpy", bytes=int(size * 4_000))
        rank.synchronize(SNAPSHOT, thread="snapshot")

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        for layer in range(layers):
            forward(rank, pace)
            if layer == 1:
                stall(rank, wrong)
        reduced = reduce_gradients(rank, step, pace, layers, bucket)
        if snapshots and is_awaited:
            follow(rank, COMPUTE, SNAPSHOT)  # the update would overwrite what is being copied
        update(rank, pace, reduced)
        if step in snapshots and not is_read_first:
            snapshot(rank)
        if reads:
            read_loss(rank)
        if step in snapshots and is_read_first:
            snapshot(rank)

    return Program(ranks, step_of, pace.step(layers), ("all_reduce",), blocks=reads, snapshots=bool(snapshots))


def checkpoint(draw, steps):
    every = draw.randint(2, 3)
    return overlapped_buckets(draw, (2, 4), snapshots={*range(every - 1, steps, every), steps - 1})


def older_event(draw):
    """The host waits for an event of the step before, or of some layers before, and launches what follows behind it."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(4, 6), draw.choice((2, 4))
    loading, is_step_before, back = draw.choice((60, 800, 2_500)), draw.random() < 0.5, draw.randint(1, 3)
    before = {}  # by rank: the event of the step before

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        behind_layers = []
        for layer in range(layers):
            if not is_step_before and layer >= back:
                rank.await_event(behind_layers[layer - back])
            forward(rank, pace)
            behind_layers.append(rank.record(COMPUTE))
            if layer == 1:
                stall(rank, wrong)
        update(rank, pace, reduce_gradients(rank, step, pace, layers, 2))
        if is_step_before:
            updated = rank.record(COMPUTE)
            if rank in before:
                rank.await_event(before[rank])
            before[rank] = updated

    return Program(ranks, step_of, pace.step(layers), ("all_reduce",))


def reduced_to_owners(draw):
    """Each layer's gradients go to its owner, and its new weights from there. Small messages are buffered: who only
    gives leaves early."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(3, 6), draw.choice((2, 4))
    is_small, loading, reads = draw.random() < 0.5, draw.choice((60, 600)), draw.random() < 0.6
    duration = draw.uniform(20, 60) if is_small else draw.uniform(300, 700) * pace.scale

    def exchange(rank, op, step, layer, thread):
        owner = layer % ranks
        buffered = {"root": owner, "gathers": op == "reduce"} if is_small else {}
        together = rank.job.collective((op, step, layer), duration, **buffered)
        return communicate(rank, op, together, range(ranks), "0", duration * (500 if is_small else ELEMENTS_PER_US),
                           thread=thread, root=owner)

    def step_of(rank, step, wrong):
        fetch(rank, loading, wrong)
        for layer in range(layers):
            forward(rank, pace)
            if layer == 1:
                stall(rank, wrong)
        reduced = []
        with backward_pass(rank) as thread:
            for layer in reversed(range(layers)):
                backward(rank, pace, thread)
                reduced.append(exchange(rank, "reduce", step, layer, thread))
        update(rank, pace, reduced)
        for layer in range(layers):
            rank.hold(COMPUTE, exchange(rank, "broadcast", step, layer, "main"))
        if reads:
            read_loss(rank)

    return Program(ranks, step_of, pace.step(layers), ("reduce", "broadcast"), blocks=reads)


# --- sharded --------------------------------------------------------------------------------------------------------
def fully_sharded(draw, limits):
    """FSDP: weights are gathered before each use, on a stream that runs ahead. With a limit the host first waits until
    the layer that was computed so many layers ago has given its weights back."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(4, 6), draw.choice((2, 4, 8))
    limit, ahead, reads = draw.choice(limits), draw.randint(0, 1), draw.random() < 0.6
    loading, gathering = draw.choice((60, 800)), draw.uniform(30, 700) * pace.scale

    def launch(rank, op, key, stream, behind, thread):
        return communicate(rank, op, rank.job.collective((op, *key), gathering), range(ranks), "0",
                           gathering * ELEMENTS_PER_US, stream, behind, thread)

    def compute(rank, step, order, compute_layer, freed, thread):
        """All layers in order, each behind its gathered weights."""
        gathered = 0
        for place in range(layers):
            while gathered <= min(place + ahead, layers - 1):
                if limit and len(freed) >= limit:
                    rank.await_event(freed.pop(0), thread)
                key = (step, thread, order[gathered])
                rank.hold(UNSHARD, launch(rank, "all_gather", key, COMM, UNSHARD, thread), thread)
                gathered += 1
            follow(rank, COMPUTE, UNSHARD, thread)
            compute_layer(order[place])
            freed.append(rank.record(COMPUTE, thread))

    def step_of(rank, step, wrong):
        freed = []

        def forward_layer(layer):
            forward(rank, pace)
            if layer == 1:
                stall(rank, wrong)

        def backward_layer(layer):
            backward(rank, pace, thread)
            follow(rank, SCATTER, COMPUTE, thread)
            scattered = launch(rank, "reduce_scatter", (step, layer), SCATTER_COMM, SCATTER, thread)
            rank.hold(SCATTER, scattered, thread)

        fetch(rank, loading, wrong)
        follow(rank, UNSHARD, COMPUTE)
        compute(rank, step, range(layers), forward_layer, freed, "main")
        with backward_pass(rank) as thread:
            compute(rank, step, range(layers)[::-1], backward_layer, freed, thread)
            follow(rank, COMPUTE, SCATTER, thread)
        update(rank, pace)
        if reads:
            read_loss(rank)

    return Program(ranks, step_of, pace.step(layers), ("all_gather", "reduce_scatter"), blocks=reads or limit)


# --- experts --------------------------------------------------------------------------------------------------------
def uneven_exchange(draw):
    """Each rank's tokens vary; a hot expert's rank has more in each step."""
    pace, layers, ranks = Pace.drawn(draw), draw.randint(2, 4), draw.choice((2, 4, 8))
    spread, sending = draw.choice((0, 0.1, 0.25)), draw.uniform(20, 400) * pace.scale

    def exchange(rank, key, load, usual, thread):
        done = communicate(rank, "all_to_all", rank.job.collective(key, sending), range(ranks), "ep",
                           int(sending * ELEMENTS_PER_US * load) // ranks * ranks, COMM + 1, thread=thread,
                           share=load, healthy_share=usual)
        rank.hold(COMPUTE, done, thread)

    def experts(rank, key, usual, wrong, length, thread):
        """To the experts' ranks and back."""
        load = usual * (1 + wrong.get("more_tokens", 0))
        exchange(rank, (*key, "there"), load, usual, thread)
        rank.kernel(EXPERT, 500 * length * load, healthy=500 * length * usual, thread=thread, cost=pace.cost,
                    operator="aten::_grouped_mm")
        exchange(rank, (*key, "back"), load, usual, thread)

    def step_of(rank, step, wrong):
        fetch(rank, 100, wrong)
        usual = [1 + rank.job.draw.uniform(-spread, spread) for _ in range(layers)]
        for layer in range(layers):
            forward(rank, pace)
            experts(rank, (step, layer, "forward"), usual[layer], wrong, pace.scale, "main")
            if layer == 1:
                stall(rank, wrong)
        reduced = []
        with backward_pass(rank) as thread:
            for layer in reversed(range(layers)):
                experts(rank, (step, layer, "backward"), usual[layer], wrong, 2 * pace.scale, thread)
                backward(rank, pace, thread)
                together = rank.job.collective((step, layer), 300 * pace.scale)
                reduced.append(communicate(rank, "all_reduce", together, range(ranks), "dp",
                                           300 * pace.scale * ELEMENTS_PER_US, thread=thread))
        update(rank, pace, reduced)
        read_loss(rank)

    return Program(ranks, step_of, 1.8 * pace.step(layers), ("all_to_all", "all_reduce"),
                   causes=("more_tokens", "more_tokens", "slow_compute", "host_stall"))
