"""The calls of a training program in PyTorch, on the event model: layers, collectives on streams of their own with the
events between them, autograd's thread, the loader.
"""

from __future__ import annotations

import contextlib
import dataclasses

from drawn_jobs import ATTENTION, LOADER
from traced_jobs import ACTIVATION, COMM, COMPUTE, GRADIENT, NCCL, PRODUCT, UPDATE, described

ATTENTION_BACKWARD = ("void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128>>"
                      "(pytorch_flash::Flash_bwd_params)")
ACTIVATION_BACKWARD = "void at::native::vectorized_elementwise_kernel<4, at::native::GeluBackwardCUDAKernelImpl>(int)"
READ = "Memcpy DtoH (Device -> Pageable)"
# op: as PyTorch calls it, its kernel, its range
COLLECTIVES = {"all_reduce": ("allreduce", "AllReduce_Sum_bf16_RING_LL", "nccl:all_reduce"),
               "all_gather": ("_allgather_base", "AllGather_RING_LL", "nccl:_all_gather_base"),
               "reduce_scatter": ("_reduce_scatter_base", "ReduceScatter_Sum_bf16_RING_LL",
                                  "nccl:_reduce_scatter_base"),
               "all_to_all": ("all_to_allv", "SendRecv", "nccl:all_to_all"),
               "reduce": ("reduce", "Reduce_Sum_bf16_RING_LL", "nccl:reduce"),
               "broadcast": ("broadcast", "Broadcast_RING_LL", "nccl:broadcast")}
ELEMENTS_PER_US = 9_000  # that a collective moves


@dataclasses.dataclass
class Pace:
    """How long the work of one layer takes."""

    scale: float  # of kernels
    cost: float  # of an operator on the host, in microseconds

    @classmethod
    def drawn(cls, draw):
        return cls(draw.uniform(0.4, 1.6), draw.choice((4, 12, 30)))

    def step(self, layers):
        """About how long the kernels of a step take."""
        return 1_800 * self.scale * layers + 300


def forward(rank, pace, thread="main"):
    for name, duration, operator in ((PRODUCT, 160, "aten::mm"), (ATTENTION, 150, "aten::_flash_attention_forward"),
                                     (PRODUCT, 250, "aten::mm"), (ACTIVATION, 40, "aten::gelu")):
        rank.kernel(name, duration * pace.scale, thread=thread, operator=operator, cost=pace.cost)


def backward(rank, pace, thread):
    for name, duration, operator, node in (
            (ACTIVATION_BACKWARD, 50, "aten::gelu_backward", "GeluBackward0"),
            (GRADIENT, 250, "aten::mm", "MmBackward0"), (GRADIENT, 250, "aten::mm", "MmBackward0"),
            (ATTENTION_BACKWARD, 330, "aten::_flash_attention_backward", "FlashBackward"),
            (GRADIENT, 320, "aten::mm", "MmBackward0")):
        with rank.range(f"autograd::engine::evaluate_function: {node}", "cpu_op", thread):
            rank.kernel(name, duration * pace.scale, thread=thread, operator=operator, cost=pace.cost)


@contextlib.contextmanager
def backward_pass(rank):
    """On autograd's thread, while the main one sleeps."""
    rank.host(3, "autograd", after=[rank.host(8)])
    yield "autograd"
    rank.host(4, after=[rank.threads["autograd"]])


def communicate(rank, op, together, members, group, elements, stream=COMM, behind=COMPUTE, thread="main", root=None,
                **parts):
    """Launches a collective behind a stream's work, and returns the event that its result waits for."""
    name, kernel, annotation = COLLECTIVES[op]
    rank.sequences[group] += 1
    args = described(name, int(elements), members, group, Seq=rank.sequences[group])
    if root is not None:
        args["Root Rank"] = root
    with rank.range(annotation, thread=thread):
        rank.hold(stream, rank.record(behind, thread), thread)
        done = rank.kernel(NCCL.format(kernel), stream=stream, thread=thread, joins=together,
                           function="cudaLaunchKernelExC", **parts, **args)
        if rank.job.marks_ends:
            rank.record(stream, thread)
    return [done]


def follow(rank, stream, other, thread="main"):
    """stream.wait_stream(other)"""
    rank.hold(stream, rank.record(other, thread), thread)


def fetch(rank, usual, wrong):
    """The next batch, and what goes wrong on the host before it is used."""
    rank.slowdown = 1 + wrong.get("slow_compute", 0)
    with rank.range(LOADER):
        rank.host(usual, name=LOADER, trouble=wrong.get("data_wait", 0))
    rank.copy_input(120, 4 << 20)


def stall(rank, wrong):
    """The host is stalled, as for garbage collection."""
    rank.host(5, trouble=wrong.get("host_stall", 0))


def update(rank, pace, after=()):
    for work in after:
        rank.hold(COMPUTE, work)
    with rank.range("Optimizer.step#AdamW.step"):
        for _ in range(2):
            rank.kernel(UPDATE, 120 * pace.scale, operator="aten::_fused_adamw_", cost=pace.cost)
    with rank.range("Optimizer.zero_grad#AdamW.zero_grad"):
        rank.host(20)


def read_loss(rank):
    with rank.range("aten::_local_scalar_dense", "cpu_op"):
        rank.kernel(READ, 2, function="cudaMemcpyAsync", category="gpu_memcpy", bytes=4)
        rank.synchronize(COMPUTE)
