"""Where a recording's first step starts and its last ends, and what lies in no step."""

import pytest

from kineto_trace import Trace, rows, run

MS = 1_000


def lengths(result):
    return [step["duration_ns"] / 1e6 for step in result["steps"]["list"]]


def input_bound_steps(count):
    """Steps of 400 ms: the host decodes for 270 ms, then the device works for 100 ms."""
    trace = Trace()
    for i in range(count):
        start = i * 400 * MS
        trace.step(6 + i, start, start + 400 * MS)
        trace.kernel(start + 280 * MS, start + 380 * MS)
    return trace


@pytest.mark.parametrize("count", [1, 3, 12])
def test_what_the_host_does_before_the_first_work_counts(count, report):
    result = report(input_bound_steps(count))
    assert sum(lengths(result)) == pytest.approx(count * 400)
    assert result["steps"]["duration_ns"]["mean"] == pytest.approx(400e6)
    assert result["steps"]["warmup"] == 0
    assert rows(result)["compute"] == pytest.approx(count * 100 * MS)


@pytest.mark.parametrize("count", [1, 3])
def test_what_the_host_does_before_the_first_work_has_its_price(report, count):
    """The host decodes for 270 of 400 ms, and launches from 280 ms on, without a pause in its operators then."""
    trace = input_bound_steps(count)
    for i in range(count):
        trace.event("cpu_op", "aten::add", i * 400 * MS + 274 * MS, i * 400 * MS + 381 * MS)
    result = report(trace)
    [stall] = [finding for finding in result["findings"] if finding["id"] == "host-stall"]
    assert stall["saves_ns_per_step"] == pytest.approx(275e6, rel=0.07)
    assert (result["verdict"]["class"], result["verdict"]["title"].split(".")[0]) == (
        "host", "Launching threads stop while the device idles")


def test_what_stands_still_before_the_first_call_is_a_stall(report):
    """As it would be between two calls: no operator starts or ends while the host decodes."""
    trace = input_bound_steps(3)
    for i in range(3):
        trace.event("cpu_op", "aten::add", i * 400 * MS + 270 * MS, i * 400 * MS + 271 * MS)
    # Between two steps the device is done 20 ms before the host goes on to the next.
    assert rows(report(trace))["idle_host_stall"] == pytest.approx((270 + 2 * 290) * MS, rel=0.05)


def test_a_first_step_that_is_slow_on_the_host_alone_is_warm_up(report):
    trace = Trace()
    trace.step(0, 0, 2_000 * MS)  # its loader starts
    trace.kernel(1_890 * MS, 1_990 * MS)
    for i in range(1, 12):
        start = 2_000 * MS + (i - 1) * 100 * MS
        trace.step(i, start, start + 100 * MS)
        trace.kernel(start + 5 * MS, start + 95 * MS)
    assert report(trace)["steps"]["warmup"] == 1


def test_the_last_step_ends_with_its_marker_or_its_work(report):
    trace = Trace()
    trace.step(0, 0, 100)
    trace.kernel(10, 100)
    trace.step(1, 100, 500)  # a checkpoint is written at its end
    trace.kernel(110, 200)
    assert lengths(report(trace)) == pytest.approx([0.110, 0.390])
    trace.kernel(210, 900, launch=(205, 206))
    assert lengths(report(trace)) == pytest.approx([0.110, 0.790])


def test_without_launches_work_belongs_to_the_step_in_which_it_starts(report):
    trace = Trace()
    for i in range(4):
        trace.step(i, i * 10 * MS, (i + 1) * 10 * MS)
        for k in range(20):
            trace.on_device(i * 10 * MS + 1_000 + 400 * k, i * 10 * MS + 1_300 + 400 * k)
    steps = report(trace)["steps"]
    assert (steps["count"], steps["detected_by"]) == (4, "marker ProfilerStep#")
    assert steps["duration_ns"]["mean"] == pytest.approx(10e6)
    assert steps["confidence"] < 1 and "no launch is in the trace" in steps["reason"]


def test_layers_are_no_steps(report):
    """One pass of a serving framework: what recurs in it is no step, and the host's time before is not lost."""
    trace = Trace()
    trace.annotation("execute_context_0", 0, 1_000 * MS)
    trace.call("cudaStreamSynchronize", 0, 490 * MS)
    for layer in range(36):
        for kernel in range(14):
            at = 490 * MS + layer * 12_600 + kernel * 900
            trace.kernel(at, at + 800, f"kernel_{kernel}", launch=(490 * MS + 14 * layer + kernel, 490 * MS + 14 * layer + kernel + 1))
    result = report(trace)
    steps = result["steps"]
    assert (steps["unit"], steps["detected_by"]) == ("slice", "time")
    assert sum(lengths(result)) == pytest.approx(490 + 36 * 12.6, rel=0.01)


def test_pytorchs_range_of_an_update_ends_a_step(report):
    """Nothing in its kernels' names speaks of an update."""
    trace = Trace()
    for i in range(5):
        start = i * 1_000
        trace.copy(start + 50, start + 60)
        for kernel in range(6):
            trace.kernel(start + 100 + 100 * kernel, start + 190 + 100 * kernel, f"kernel_{kernel}")
        trace.annotation("Optimizer.step#Muon.step", start + 750, start + 900)
        for kernel in range(2):
            trace.kernel(start + 760 + 50 * kernel, start + 800 + 50 * kernel, "elementwise")
    steps = report(trace)["steps"]
    assert (steps["count"], steps["detected_by"]) == (5, "optimizer")
    assert lengths({"steps": steps})[1:-1] == pytest.approx([1.0] * 3)


def test_the_part_of_the_run_in_no_step_is_said(report, tauprof, tmp_path):
    trace = Trace()
    trace.call("cudaMalloc", 0, 3_000)
    for i in range(2):
        trace.step(i, 3_000 + 1_000 * i, 4_000 + 1_000 * i)
        trace.kernel(3_100 + 1_000 * i, 3_900 + 1_000 * i)
    trace.call("cudaFree", 6_000, 8_000)
    result = report(trace)
    assert result["steps"]["outside_share"] == pytest.approx(6 / 8)
    first_line = run(tauprof, "analyze", tmp_path / "logs").stdout.split("VERDICT")[0]
    assert "75 % of the run in no step" in " ".join(first_line.split())
