"""Pipelines of asked_jobs.py: stages that exchange messages, with and without replicas."""

from __future__ import annotations

from asked_programs import Program
from drawn_jobs import EXCHANGES, LOSS
from pytorch_program import ELEMENTS_PER_US, Pace, backward_pass, communicate, fetch, read_loss, stall, update
from traced_jobs import COMPUTE, GRADIENT, MESSAGES, PRODUCT, described, schedule


def interleaved(stage, stages, batches, chunks):
    """[(is_forward, batch, chunk)]: Megatron's order, in which each rank has several chunks of the model."""
    total = batches * chunks

    def at(place, is_forward):
        chunk = place // stages % chunks
        return (is_forward, place // (stages * chunks) * stages + place % stages,
                chunk if is_forward else chunks - 1 - chunk)

    ahead = min(2 * (stages - 1 - stage) + (chunks - 1) * stages, total)
    order = [at(place, True) for place in range(ahead)]
    for place in range(total):
        if ahead + place < total:
            order.append(at(ahead + place, True))
        order.append(at(place, False))
    return order


def message(rank, kind, key, peer, is_forward, moving):
    low, high = sorted((rank.number, peer))
    stream = MESSAGES + 2 * is_forward + (kind == "recv")
    with rank.range(f"nccl:{kind}"):
        rank.hold(stream, rank.record(COMPUTE))
        return [rank.kernel(EXCHANGES, stream=stream, joins=rank.job.collective(key, moving),
                            function="cudaLaunchKernelExC",
                            **described(kind, 1 << 20, (low, high), f"pp{low}_{high}"),
                            **{"Dst Rank" if kind == "send" else "Src Rank": peer})]


def pipeline(draw, has_thread):
    """1F1B. With a thread the main one receives and waits, and autograd's launches the backward pass; then ranks mostly
    have two chunks of the model. The last stage may have a head of the model that takes longer."""
    chunks = draw.choice((1, 2, 2, 2)) if has_thread else 1
    stages = draw.choice((2, 4, 6)) if chunks == 1 else 4
    replicas = 2 if stages == 2 else draw.choice((1, 2)) if stages == 4 and chunks == 1 else 1
    scale, cost, layers = draw.uniform(0.5, 1.5), draw.choice((4, 12)), draw.randint(1, 3)
    batches, reads, ranks = draw.choice((4, 8) if chunks == 1 else (8, 12)), draw.random() < 0.6, stages * replicas
    moving, head = draw.uniform(10, 60), draw.choice((0, 0, 0.4) if chunks == 1 else (0, 0.1))

    def order_of(stage):
        if chunks > 1:
            return interleaved(stage, stages, batches, chunks)
        return [(*one, 0) for one in schedule(stage, stages, batches, forwards_first=False)]

    def work(rank, name, duration, operator, thread, is_last):
        for _ in range(layers):
            rank.kernel(name, duration * scale * (1 + head * is_last), thread=thread, operator=operator, cost=cost)

    def compute(rank, is_forward, is_last):
        if is_forward:
            work(rank, PRODUCT, 500, "aten::mm", "main", is_last)
            if is_last:
                rank.kernel(LOSS, 40, operator="aten::cross_entropy_loss", cost=cost)
        elif has_thread:
            with backward_pass(rank) as thread:
                work(rank, GRADIENT, 1_000, "aten::mm", thread, is_last)
        else:
            work(rank, GRADIENT, 1_000, "aten::mm", "main", is_last)

    def pass_of(rank, step, wrong, is_forward, batch, chunk):
        """Receives, computes, sends. Places count the chunks of the whole model."""
        stage, replica = divmod(rank.number, replicas)
        place, onward = chunk * stages + stage, 1 if is_forward else -1
        has_source, has_target = (0 <= other < stages * chunks for other in (place - onward, place + onward))
        key = (step, is_forward, replica, batch)
        if has_source:
            source = (rank.number - onward * replicas) % ranks
            rank.hold(COMPUTE, message(rank, "recv", (*key, place), source, is_forward, moving))
        elif is_forward:
            fetch(rank, 60, wrong)
        compute(rank, is_forward, place == stages * chunks - 1)
        if is_forward and batch == batches // 2 and chunk == 0:
            stall(rank, wrong)
        if has_target:
            target = (rank.number + onward * replicas) % ranks
            message(rank, "send", (*key, place + onward), target, is_forward, moving)

    def step_of(rank, step, wrong):
        rank.slowdown = 1 + wrong.get("slow_compute", 0)
        stage = rank.number // replicas
        for one in order_of(stage):
            pass_of(rank, step, wrong, *one)
        reduced = []
        if replicas > 1:
            peers = range(stage * replicas, (stage + 1) * replicas)
            reduced = [communicate(rank, "all_reduce", rank.job.collective((step, stage), 400), peers, f"dp{stage}",
                                   400 * ELEMENTS_PER_US)]
        update(rank, Pace(scale, cost), reduced)
        if reads:
            read_loss(rank)

    alike = [range(stage * replicas, (stage + 1) * replicas) for stage in range(stages)]
    return Program(ranks, step_of, 1_500 * scale * layers * (batches * chunks + stages - 1), (),
                   tuple(alike) if replicas > 1 else (range(1, stages - 1),),
                   ("slow_compute", "slow_compute", "host_stall") if chunks == 1 else ("slow_compute",), blocks=reads)
