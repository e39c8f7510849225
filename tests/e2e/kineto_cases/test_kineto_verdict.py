"""The first line never says less than the first repair, names causes without a price, and prefers what can be had."""

import pytest

from kineto_trace import LOADER, Trace

STEPS = 8

# As analyzer/findings/findings.def has them.
CLASS_OF = {"slow-steps": "steps", "data-wait": "data", "launch-bound": "host", "host-sync": "host", "host-stall": "host",
            "dependency": "gpu", "device-latency": "gpu"}


def steps_of(step, steps=STEPS):
    """A rank whose step number n, called with the trace, n and its start, returns its end."""
    trace, now = Trace(), 0
    for number in range(steps):
        start, now = now, step(trace, number, now)
        trace.step(number, start, now)
    return trace


def slow_now_and_then(trace, number, now):
    """Steps 3 and 6 compute three times as long as the others: 10 ms."""
    for _ in range(3 if number in (3, 6) else 1):
        trace.kernel(now + 20, now + 10_000, launch=(now + 5, now + 10))
        now += 10_000
    return now


def late_starts(trace, _, now):
    """Sixty kernels of 60 µs, launched at once, start 100 µs after the one before has ended, always."""
    for i in range(60):
        start = now + 200 + 160 * i
        trace.kernel(start, start + 60, launch=(now + 100 + 3 * i, now + 102 + 3 * i))
    return now + 10_000


def loads_and_launches(load, gaps, kernels=30):
    """Decodes for `load` µs on the main thread, and launches kernels of 50 µs, with `gaps` µs between two launches."""

    def step(trace, _, now):
        trace.annotation(LOADER, now, now + load)
        host = now + load
        for i in range(kernels):
            host += gaps
            trace.kernel(host + 8, host + 58, launch=(host, host + 4))
        return host + 10

    return step


def gains(report):
    """{id: what it saves} of findings with a price."""
    return {finding["id"]: finding["saves_ns_per_step"] for finding in report["findings"] if finding["saves_ns_per_step"]}


def test_slow_steps_are_a_class_of_their_own(report):
    found = report(steps_of(slow_now_and_then))
    assert gains(found)["slow-steps"] == pytest.approx(2 * 20e6 / STEPS, rel=0.02)
    assert found["verdict"]["class"] == "steps"
    assert found["verdict"]["title"].startswith("Steps 3, 6 take 30")


def test_a_cause_without_a_price_is_named_and_its_gain_not_known(report):
    found = report(steps_of(late_starts))
    [latency] = [finding for finding in found["findings"] if finding["id"] == "device-latency"]
    assert latency["saves_ns_per_step"] is None
    assert found["verdict"]["class"] == "gpu"
    assert found["verdict"]["title"].endswith("; gain not known")
    assert latency["saves_reason"] in found["verdict"]["because"][-1]


@pytest.mark.parametrize("load, gaps", [(6_000, 60), (6_000, 120), (3_000, 60)])
def test_a_loader_that_takes_more_comes_before_launching(report, load, gaps):
    found = report(steps_of(loads_and_launches(load, gaps)))
    rows = found["ledger"]["rows"]
    assert rows["idle_data_wait"] > 2 * rows["idle_host_launch"] > 0
    assert found["verdict"]["class"] == "data"
    saved = gains(found)
    assert saved["data-wait"] == pytest.approx(load * 1e3, rel=0.12)  # the first step is loaded before all work
    assert saved.get("launch-bound", 0) < saved["data-wait"]


@pytest.mark.parametrize("load, gaps, kernels", [(6_000, 60, 120), (3_000, 58, 100), (9_000, 65, 200)])
def test_a_loader_that_a_graph_would_only_hide_comes_before_launching(report, load, gaps, kernels):
    """With one launch a step the host loads while the device computes, so that saves as much as the loader does."""
    found = report(steps_of(loads_and_launches(load, gaps, kernels)))
    rows = found["ledger"]["rows"]
    assert rows["idle_data_wait"] > 2 * rows["idle_host_launch"] > 0
    assert found["verdict"]["class"] == "data" and found["findings"][0]["id"] == "data-wait"
    [launching] = [finding for finding in found["findings"] if finding["id"] == "launch-bound"]
    assert launching["saves_ns_per_step"] > 1.5 * rows["idle_host_launch"] / STEPS
    assert " of what it saves it only hides: The device waits for input data" in launching["evidence"]


def test_slow_launching_is_the_verdict_where_it_takes_most(report):
    found = report(steps_of(loads_and_launches(500, 400)))
    assert found["verdict"]["class"] == "host"


SHAPES = {"slow steps": slow_now_and_then, "late starts": late_starts, "loader": loads_and_launches(6_000, 60),
          "launching": loads_and_launches(500, 400), "neither": loads_and_launches(0, 10)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("steps", [1, 3, STEPS])
def test_nothing_is_balanced_below_a_repair(report, shape, steps):
    found = report(steps_of(SHAPES[shape], steps))
    length = found["steps"]["duration_ns"]["mean"]
    classes = {CLASS_OF[name] for name, saved in gains(found).items() if saved >= 0.03 * length}
    if classes:
        assert found["verdict"]["class"] in classes
