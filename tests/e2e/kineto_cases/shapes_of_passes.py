"""Loops that differ in their passes over the model: which kernels, in which order, from which thread or graph."""

import random

from kineto_trace import ALL_REDUCE
from plain_loop import LARGE, NET, OTHER, setup
from training_program import elementwise, LISTS, Network


def sequence_buckets(p):
    """Batches of different lengths, for which the library chooses different kernels."""
    setup(p)
    networks = [Network(layers=4, shape=shape) for shape in ("32x32", "64x64", "128x64", "128x128")]
    draw = random.Random(7)
    for _ in range(16):
        p.step()
        p.load()
        p.train(draw.choice(networks))
        p.update()


def experts(p):
    """Experts without tokens launch nothing."""
    setup(p)
    draw = random.Random(3)
    for _ in range(12):
        p.step()
        p.load()
        chosen = [draw.randrange(1, 7) for _ in range(3)]
        for count in chosen:
            p.kernel(*NET.forward[:8], "moe_permute", *["expert_gemm", "expert_silu"] * count, "moe_unpermute")
        p.kernel(*NET.loss)
        for count in reversed(chosen):
            p.kernel("moe_unpermute_grad", *["expert_gemm_nt", "expert_gemm_nn", "expert_silu_grad"] * count,
                     "moe_permute_grad", *NET.backward[2:14], thread=p.backward_thread)
        p.update()


def frozen_teacher(p):
    setup(p)
    for _ in range(10):
        p.step()
        p.load()
        p.kernel(*LARGE.inference)
        p.train(NET)
        p.update()


def whole_step_in_a_graph(p):
    """Three eager steps, then each step is the launch of one captured graph, including the update."""
    setup(p)
    for _ in range(3):
        p.step()
        p.load()
        p.train(NET)
        p.update()
    p.pause(40_000)
    for _ in range(12):
        p.step()
        p.load()
        p.graph()


def graphs_alone(p):
    """Captured from the first step on; the profiler does not show the graph's kernels by name."""
    setup(p)
    for _ in range(14):
        p.step()
        p.load(copies=1)
        p.graph()


def graphs_without_input(p):
    setup(p)
    for _ in range(14):
        p.step()
        p.pause(30)
        p.graph()


def graphs_of_both_passes(p):
    """Forward and backward are graphs, the update is not."""
    setup(p)
    for _ in range(12):
        p.step()
        p.load()
        p.graph(name="forward")
        p.kernel(*NET.loss)
        p.graph(name="backward", thread=p.backward_thread)
        p.update()


def pipeline(p, batches=6, warmup=2):
    """One forward, one backward (1F1B), with messages from and to the neighbouring stages."""
    message = "ncclDevKernel_SendRecv(ncclDevComm*, unsigned long, ncclWork*)"
    setup(p)
    for _ in range(9):
        p.step()
        p.load(60)
        forwards = backwards = 0
        while backwards < batches:
            if forwards < batches and forwards < backwards + warmup + 1:
                p.kernel(message, *NET.forward, message)
                forwards += 1
            else:
                p.kernel(message, *NET.backward, message, thread=p.backward_thread)
                backwards += 1
        p.kernel(ALL_REDUCE)
        p.clip()
        p.update()


def interleaved_pipeline(p):
    pipeline(p, batches=8, warmup=5)


def sharded(p):
    """Each layer's weights are gathered before its forward and its backward pass."""
    setup(p)
    gather = "ncclDevKernel_AllGather_RING_LL(ncclDevComm*)"
    scatter = "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevComm*)"
    pack = LISTS + "TensorListMetadata<2>, at::native::CopyFunctor<float, float> >"
    for step in range(10):
        p.step()
        p.load()
        for at in range(0, 16, 4):
            p.kernel(pack, gather, *NET.forward[at:at + 4])
        p.kernel(*NET.loss)
        for at in range(2, 26, 6):
            p.kernel(pack, gather, *NET.backward[at:at + 6], pack, scatter, thread=p.backward_thread)
        p.clip()
        p.kernel(ALL_REDUCE)
        p.update()
        if step % 4 == 3:
            p.evaluate(NET, 5)


def buckets_reduced(p):
    """Data parallel: all-reduces inside backward; every three steps the loss is averaged over ranks and printed."""
    setup(p)
    for step in range(13):
        p.step()
        p.load()
        p.forward(NET)
        for at in range(0, 26, 13):
            p.kernel(*NET.backward[at:at + 13], ALL_REDUCE, thread=p.backward_thread)
        p.update()
        if step % 3 == 2:
            p.kernel(ALL_REDUCE, elementwise("DivFunctor"))
            p.read_back()


def alternating_tasks(p):
    """Two tasks with their own batches and output layers alternate; each is a step."""
    setup(p)
    for step in range(12):
        p.step()
        p.load()
        p.train(NET if step % 2 == 0 else OTHER)
        p.update()


def growing_batches(p):
    """Sequences grow during training."""
    setup(p)
    for shape in ("32x32", "64x64", "128x64"):
        network = Network(shape=shape)
        for _ in range(6):
            p.step()
            p.load()
            p.train(network)
            p.update()


def frozen_then_thawed(p):
    """First only the output layers are trained, then all."""
    setup(p)
    for step in range(14):
        p.step()
        p.load()
        p.forward(NET)
        p.kernel(*(NET.backward[:6] if step < 6 else NET.backward), thread=p.backward_thread)
        p.update()


def distillation_every_other(p):
    setup(p)
    for step in range(13):
        p.step()
        p.load()
        if step % 2:
            p.kernel(*LARGE.inference)
        p.train(NET)
        p.update()


def prefill(p):
    p.load()
    p.kernel(*LARGE.inference, "sample_token")
    p.read_back()


def decode(p):
    """One token goes through the model; the next one is sampled and read back."""
    p.kernel(*["decode_attention", "gemv_kernel", elementwise("silu_kernel")] * 4, "sample_token")
    p.read_back()


def requests(p):
    """Inference: a prompt, then its answer token by token. Answers differ in length, so a token is an iteration."""
    setup(p)
    for tokens in (12, 7, 20, 9, 15, 11, 5, 18, 10, 13, 8, 16):
        prefill(p)
        for _ in range(tokens):
            p.step()
            decode(p)


def requests_of_equal_length(p):
    """The request, with its input, is what recurs."""
    setup(p)
    for _ in range(12):
        p.step()
        prefill(p)
        for _ in range(10):
            decode(p)


SHAPES = (
    sequence_buckets, experts, frozen_teacher, graphs_of_both_passes, pipeline, interleaved_pipeline, sharded,
    buckets_reduced, alternating_tasks, growing_batches, frozen_then_thawed, distillation_every_other)

WITHOUT_KNOWN_UPDATES = (graphs_alone, graphs_without_input, requests, requests_of_equal_length)
