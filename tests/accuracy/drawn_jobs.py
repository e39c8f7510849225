"""Training jobs on the event model, each drawn from one number: healthy ones with everything that makes healthy ranks
differ, and the same with one culprit.

A first stage loads its batch and copies each micro-batch in line; experts get more tokens in one step and fewer in the
next, so their all-to-alls end apart; kernels, copies and loaders vary by 5 %; clocks are one, or each rank's own.
"""

from __future__ import annotations

import dataclasses
import random

from event_model import Job
from traced_jobs import (COMM, COMPUTE, GRADIENT, MESSAGES, NCCL, PRODUCT, communicate, described, hold_up,
                         run, schedule, update)

NOISE = 0.05
LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
LOSS = "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<c10::BFloat16, float>(int)"
EXPERT = "void cutlass::device_kernel<cutlass::gemm::kernel::GroupedGemmUniversal>(int)"
ATTENTION = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>>(pytorch_flash::Flash_fwd_params)"
EXCHANGES = NCCL.format("SendRecv")
TOKENS = 4096  # of a rank, if experts are alike


def fetch(rank, wrong):
    with rank.range(LOADER):
        rank.host(200 + wrong.get("data_wait", 0))
    rank.slowdown = 1 + wrong.get("slow_compute", 0)


def copy_input(rank, wrong, duration=150):
    rank.copy_input(duration * wrong.get("input_copy", 1), 4 << 20)


def read_loss(rank):
    with rank.range("aten::_local_scalar_dense", "cpu_op"):
        rank.synchronize(COMPUTE)


# --- data parallel --------------------------------------------------------------------------------------------------
def data_parallel(draw, defects, ranks=8, layers=4):
    job = Job(ranks, NOISE, draw)

    def step_of(rank, step, wrong):
        fetch(rank, wrong)
        copy_input(rank, wrong)
        for layer in range(layers):
            rank.kernel(ATTENTION, 400, operator="aten::_flash_attention_forward")
            rank.kernel(PRODUCT, 900, operator="aten::addmm")
            if layer == 1:
                hold_up(rank, wrong)
        for layer in reversed(range(layers)):
            gradient = rank.kernel(GRADIENT, 2400, operator="aten::mm")
            reduced = communicate(rank, "allreduce", job.collective((step, layer), 900), range(ranks), "0",
                                  after=[gradient])
        update(rank, [reduced])
        read_loss(rank)

    return run(job, defects, lambda step: True, step_of)


# --- pipelines ------------------------------------------------------------------------------------------------------
def pipeline(draw, defects, stages=4, replicas=1, tensor=1, batches=8, layers=2, has_norm=False):
    """1F1B. Rank = (stage * replicas + replica) * tensor + its place in the tensor group. A slow link is slow in all
    groups that its rank is in."""
    width = replicas * tensor
    job = Job(stages * width, NOISE, draw)

    def among(members, duration):
        return duration * max(defects.get(member, {}).get("slow_link", 1) for member in members)

    def message(rank, kind, key, peer, after=()):
        low, high = min(rank.number, peer), max(rank.number, peer)
        stream = MESSAGES + 2 * (peer > rank.number) + (kind == "recv")
        with rank.range(f"nccl:{kind}"):
            return rank.kernel(EXCHANGES, stream=stream, after=after, joins=job.collective(key, 80),
                               **described(kind, 4 << 20, (low, high), f"pp{low}_{high}"),
                               **{"Dst Rank" if kind == "send" else "Src Rank": peer})

    def layer_of(rank, step, key, is_forward, arrived, wrong):
        done = rank.kernel(PRODUCT if is_forward else GRADIENT, 750 if is_forward else 1500, after=arrived,
                           operator="aten::addmm" if is_forward else "aten::mm")
        if tensor == 1:
            return done
        first = rank.number // tensor * tensor
        members = range(first, first + tensor)
        return communicate(rank, "allreduce", job.collective(("tensor", *key, first), among(members, 120)),
                           members, f"tp{first}", 1 << 20, COMPUTE, after=[done])

    def step_of(rank, step, wrong):
        stage, column = divmod(rank.number, width)
        if stage == 0:
            fetch(rank, wrong)
        rank.slowdown = 1 + wrong.get("slow_compute", 0)
        for is_forward, batch in schedule(stage, stages, batches, False):
            before, behind = rank.number - width, rank.number + width
            source, target = (before, behind) if is_forward else (behind, before)
            arrived = []
            if 0 <= source < len(job.ranks):
                arrived = [message(rank, "recv", (step, is_forward, column, batch, rank.number), source)]
            elif is_forward:
                copy_input(rank, wrong)
            for layer in range(layers):
                done = layer_of(rank, step, (step, is_forward, batch, layer), is_forward, arrived, wrong)
                arrived = ()
            if is_forward and batch == batches // 2:
                hold_up(rank, wrong)
            if stage == stages - 1 and is_forward:
                done = rank.kernel(LOSS, 40 * layers, operator="aten::cross_entropy_loss")
            if 0 <= target < len(job.ranks):
                message(rank, "send", (step, is_forward, column, batch, target), target, [done])
        if replicas > 1:
            peers = range(stage * width + rank.number % tensor, (stage + 1) * width, tensor)
            done = communicate(rank, "allreduce", job.collective((step, "gradients", peers), among(peers, 800)), peers,
                               f"dp{peers[0]}", after=[done])
        if has_norm:
            done = communicate(rank, "allreduce", job.collective((step, "norm"), 30), range(len(job.ranks)), "job", 1,
                               COMM + 1, after=[done])
        update(rank, [done])
        read_loss(rank)

    return run(job, defects, lambda step: True, step_of)


# --- experts --------------------------------------------------------------------------------------------------------
def exchange(rank, job, key, elements, load, splits):
    """An all-to-all in which this rank's part is `load` times the others'."""
    own = int(elements * load) // len(job.ranks) * len(job.ranks)
    args = described("all_to_allv", own, range(len(job.ranks)), "ep")
    if splits:
        args |= {"In split size": str([own // len(job.ranks)] * len(job.ranks)),
                 "Out split size": str([own // len(job.ranks)] * len(job.ranks))}
    with rank.range("nccl:all_to_all"):
        return rank.kernel(EXCHANGES, stream=COMM, after=[rank.streams[COMPUTE]], joins=job.collective(key, 260),
                           share=load, **args)


def experts(draw, defects, ranks=4, layers=3, spread=0.3, splits=False, reduces=True):
    """`spread`: how far a rank's tokens are off, each time anew."""
    job = Job(ranks, NOISE, draw)

    def step_of(rank, step, wrong):
        fetch(rank, wrong)
        copy_input(rank, wrong)
        for layer in range(2 * layers):
            backward = layer >= layers
            length = 2 if backward else 1
            load = (1 + draw.uniform(-spread, spread)) * (1 + wrong.get("more_tokens", 0))
            rank.kernel(ATTENTION, 400 * length, operator="aten::_flash_attention_forward")
            sent = exchange(rank, job, (step, layer, "there"), TOKENS * 1024, load, splits)
            rank.kernel(EXPERT, 380 * length * load, after=[sent], operator="_grouped_mm")
            back = exchange(rank, job, (step, layer, "back"), TOKENS * 1024, load, splits)
            done = rank.kernel(PRODUCT, 300 * length, after=[back], operator="aten::addmm")
            if layer == 1:
                hold_up(rank, wrong)
            if backward and reduces:
                done = communicate(rank, "allreduce", job.collective((step, layer, "gradients"), 600), range(ranks),
                                   "dp", stream=COMM + 1, after=[done])
        update(rank, [done])
        read_loss(rank)

    return run(job, defects, lambda step: True, step_of)


# --- draws ----------------------------------------------------------------------------------------------------------
@dataclasses.dataclass
class Drawn:
    shape: str
    job: Job
    length: float  # of the mean step, in microseconds
    clock_errors: dict
    causes: dict  # by rank


SHAPES = {
    "data parallel": lambda draw: (data_parallel, {"ranks": draw.choice((4, 8)), "layers": draw.randint(3, 5)}),
    "pipeline": lambda draw: (pipeline, {"stages": draw.choice((2, 4, 6)), "batches": draw.choice((4, 8)),
                                         "layers": draw.randint(1, 3)}),
    "pipeline, replicas": lambda draw: (pipeline, {"stages": draw.choice((2, 4)), "replicas": 2, "batches": 4,
                                                   "layers": draw.randint(1, 3), "has_norm": draw.random() < 0.5}),
    "pipeline, tensor groups": lambda draw: (pipeline, {"stages": 2, "tensor": 4, "batches": 4, "has_norm": True,
                                                        "layers": draw.randint(1, 3)}),
    "grid": lambda draw: (pipeline, {"stages": 2, "replicas": 2, "tensor": 2, "batches": 4, "has_norm": draw.random() < 0.5,
                                     "layers": draw.randint(1, 3)}),
    "eight ranks": lambda draw: (data_parallel, {"ranks": 8, "layers": draw.randint(3, 5)}),
    "experts": lambda draw: (experts, {"ranks": draw.choice((4, 8)), "layers": draw.randint(2, 4),
                                       "splits": draw.random() < 0.5, "reduces": draw.random() < 0.7}),
}


def draw_job(number, shape=None, defects=None, one_clock=None, **more):
    draw = random.Random(number)
    shape = shape or list(SHAPES)[number % len(SHAPES)]
    make, options = SHAPES[shape](draw)
    if one_clock is None:
        one_clock = draw.random() < 0.5
    if make is experts and not one_clock:
        options["reduces"] = True  # or nothing tells the clocks apart
    job, length = make(draw, defects or {}, **(options | more))
    errors = {rank.number: 0 if one_clock else draw.uniform(-3_000, 3_000) for rank in job.ranks}
    return Drawn(shape, job, length, errors, defects or {})
