"""Phases by what the ranges of a trace say."""

import pytest

from kineto_trace import AUTOGRAD, SEND_RECV, Trace

LENGTH, STEPS = 10_000, 3


def loop(names, backward_thread=AUTOGRAD, behind=None):
    """Steps with a range for each name and a kernel of 1 ms in each; `behind`: the range of a last kernel, or None."""
    trace = Trace()
    for step in range(STEPS):
        now = step * LENGTH
        trace.step(step, now, now + LENGTH)
        for i, name in enumerate(names):
            start = now + 1_000 * i
            trace.annotation(name, start + 100, start + 900)
            kernel = SEND_RECV if "dist" in name else "gemm"
            thread = {"tid": backward_thread} if "backward" in name.lower() else {}
            trace.kernel(start + 700, start + 1_700, kernel, launch=(start + 200, start + 210), **thread)
        if behind:
            trace.kernel(now + 9_000, now + 9_500, behind)
    return trace


def device_us(report, trace):
    """Of a step, by phase."""
    return {phase["name"]: phase["device_ns"]["mean"] / 1000 for phase in report(trace)["phases"]
            if phase["device_ns"]["mean"] and phase["name"] not in ("backward_step", "total")}


def test_a_range_that_names_something_else_ends_forward(report):
    names = ("## forward ##", "## sparse_data_dist ##", "## backward ##", "## optimizer ##")
    assert device_us(report, loop(names)) == {"forward": 1_000, "other": 1_000, "backward": 1_000, "optim_step": 1_000}


@pytest.mark.parametrize("names", [("MLP(F)", "MLP(B)", "MLP(W)"), ("PP:0F0", "PP:0I0", "PP:0W0")])
def test_schedules_name_their_passes(report, names):
    assert device_us(report, loop(names)) == {"forward": 1_000, "backward": 2_000}


def test_what_follows_the_optimizers_range_is_no_update(report):
    names = ("DistributedDataParallel.forward", "## backward ##", "Optimizer.step#SGD.step")
    found = device_us(report, loop(names, behind="void at::native::reduce_kernel<MeanOps>"))
    assert found == {"forward": 1_000, "backward": 1_000, "optim_step": 1_000, "other": 500}


def test_nothing_is_an_update_without_a_range_or_a_kernel_of_an_optimizer(report):
    names = ("a", "backward of autograd", "b")
    found = device_us(report, loop(names, behind="void at::native::vectorized_elementwise_kernel<4, add>"))
    assert "optim_step" not in found
    found = device_us(report, loop(names, behind="multi_tensor_apply_kernel<FusedAdamMathFunctor>"))
    assert found["optim_step"] >= 500
