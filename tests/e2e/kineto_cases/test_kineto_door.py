"""Events with times that cannot be: dropped at the door, counted by reason, said in one line, and failing health."""

import json

import pytest

from kineto_trace import Trace, imported, run

STEPS, STEP_US, KERNELS, KERNEL_US = 4, 10_000, 20, 300
US_OF_YEARS = 1_700_000_000_000_000  # from 1970 to 2023
OUTSIDE, BEFORE = "times outside of the recording", "device work long before its launch"


def loop(latency=20):
    """Four steps of 20 kernels, each launched `latency` before it starts or before its predecessor ends."""
    trace = Trace(0, 1, base_ns=None, shift=US_OF_YEARS)
    for step in range(STEPS):
        begin = step * STEP_US
        trace.step(step, begin, begin + STEP_US)
        for i in range(KERNELS):
            start = begin + 1_000 + i * KERNEL_US
            trace.kernel(start, start + KERNEL_US, launch=(start - latency, start - latency + 6))
    return trace


def at(trace, start):
    """A start that the trace writes as it is, without its shift."""
    return start - trace.shift


def launched_at_0(trace):
    launch = trace.call("cudaLaunchKernel", 39_000, 39_005)
    trace.on_device(at(trace, 0), at(trace, 0), correlation=launch)


def long_before_launch(trace, seconds=3, count=10):
    for i in range(count):
        launch = trace.call("cudaLaunchKernel", 20 + i * 10, 23 + i * 10)
        begin = 20 + i * 10 - seconds * 1_000_000
        trace.on_device(begin, begin + 5, correlation=launch)


def without_end(trace):
    trace.on_device(9_010, 9_010 + 4_200_000_000_000, stream=21, correlation=trace.call("cudaLaunchKernel", 9_000, 9_005))


def call_without_end(trace):
    trace.call("cudaStreamSynchronize", 9_500, 9_500 + US_OF_YEARS)


def in_another_unit(trace):
    launch = trace.call("cudaLaunchKernel", 9_500, 9_505)
    begin = at(trace, (trace.shift + 9_600) / 1_000)
    trace.on_device(begin, begin + 0.3, correlation=launch)


def tomorrow(trace):
    launch = trace.call("cudaLaunchKernel", 9_500, 9_505)
    trace.on_device(86_400_000_000, 86_400_000_300, correlation=launch)


def a_minute_after_the_last_call(trace):
    launch = trace.call("cudaLaunchKernel", 9_500, 9_505)
    trace.on_device(60_000_000, 60_000_300, correlation=launch)


def lasts_for_hours(trace):
    trace.on_device(9_500, 9_500 + 2 * 3_600_000_000, stream=21)


def unlaunched_at_0(trace):
    trace.on_device(at(trace, 0), at(trace, 5))


def unlaunched_3s_before(trace):
    trace.on_device(-3_000_000, -2_999_995)


def unlaunched_on_both_sides(trace):
    trace.on_device(-3_000_000, -2_999_995)
    trace.on_device(2_000_000, 2_000_005)


def operator_at_0(trace):
    trace.event("cpu_op", "aten::empty", at(trace, 0), at(trace, 3))


def annotation_without_end(trace):
    trace.annotation("epoch", 100, 100 + US_OF_YEARS)


def mark_at_0(trace):
    trace.events.append({"ph": "i", "cat": "cpu_instant_event", "name": "begin", "pid": 4711, "tid": 4711, "ts": 0})


CASES = [(launched_at_0, 1, BEFORE), (long_before_launch, 10, BEFORE), (without_end, 1, OUTSIDE),
         (call_without_end, 1, OUTSIDE), (in_another_unit, 1, BEFORE), (tomorrow, 1, OUTSIDE),
         (a_minute_after_the_last_call, 1, OUTSIDE), (lasts_for_hours, 1, OUTSIDE), (unlaunched_at_0, 1, OUTSIDE),
         (unlaunched_3s_before, 1, OUTSIDE), (unlaunched_on_both_sides, 2, OUTSIDE),
         (operator_at_0, 1, OUTSIDE), (annotation_without_end, 1, OUTSIDE),
         (mark_at_0, 1, OUTSIDE)]


def analysed(tauprof, folder, trace):
    """The report, what was said on the way, and the exit status and recording line of health."""
    logs = imported(tauprof, folder, [trace])
    result = run(tauprof, "analyze", logs, "--json", "-")
    assert result.returncode == 0, result.stderr
    health = run(tauprof, "health", logs)
    return json.loads(result.stdout), result.stderr, health


def recording(health):
    return next(line.split() for line in health.stdout.splitlines() if " recording " in line)


@pytest.fixture(name="clean", scope="module")
def clean_report(tauprof, tmp_path_factory):
    report, said, health = analysed(tauprof, tmp_path_factory.mktemp("clean"), loop())
    assert report["steps"]["count"] == STEPS and report["quality"]["dropped"] == 0
    assert recording(health)[0] == "pass" and "impossible" not in said
    return report


@pytest.mark.parametrize("add,count,reason", CASES, ids=[case[0].__name__ for case in CASES])
def test_what_cannot_be_is_dropped_and_said(tauprof, tmp_path, clean, add, count, reason):
    trace = loop()
    add(trace)
    report, said, health = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped_by_reason"] == {reason: count}
    assert [line for line in said.splitlines() if f"{reason} ({count})" in line], said
    assert recording(health)[0].lower() == "fail" and health.returncode == 5
    assert report["steps"]["list"] == clean["steps"]["list"]
    assert report["ledger"]["rows"]["compute"] == clean["ledger"]["rows"]["compute"]
    assert report["run"]["started"][:16] == clean["run"]["started"][:16]  # to the minute


def test_many_that_cannot_be_are_dropped_too(tauprof, tmp_path, clean):
    trace = loop()
    for _ in range(15):
        launched_at_0(trace)
    report, _, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped_by_reason"] == {BEFORE: 15}
    assert report["steps"]["list"] == clean["steps"]["list"]


@pytest.mark.parametrize("early", [1, 40, 90])
def test_kernels_a_little_before_their_launch_are_clocks(tauprof, tmp_path, clean, early):
    trace = loop(latency=30)
    for event in trace.events[::7]:
        if event["cat"] == "cuda_runtime":
            event["ts"] += 30 + early
    report, said, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped"] == 0 and report["quality"]["clamped_latencies"] > 3
    assert "impossible" not in said
    assert report["steps"]["list"] == clean["steps"]["list"]


def test_a_queue_hides_how_far_clocks_are_apart(tauprof, tmp_path):
    """The device is 1 ms behind. Most kernels wait for 5 ms in a queue, a fifth start at once."""
    trace = loop(latency=4_000)
    for event in trace.events[2::10]:
        if event["cat"] == "kernel":
            event["args"]["correlation"] = trace.call("cudaLaunchKernel", *(2 * [event["ts"] - trace.shift + 990]))
    report, _, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped"] == 0 and report["quality"]["clamped_latencies"] > 5


@pytest.mark.parametrize("behind", [5_000, 3_000_000, US_OF_YEARS])
def test_a_device_whose_clock_is_behind_is_moved(tauprof, tmp_path, clean, behind):
    trace = loop()
    for event in trace.events:
        if event["cat"] == "kernel":
            event["ts"] -= behind
    report, said, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped"] == 0
    assert "device 0's clock is" in said and "behind the host's" in said
    # The earliest kernel now starts with its launch, which it followed by some microseconds.
    for field in ("step", "duration_ns"):
        assert [step[field] for step in report["steps"]["list"]] == pytest.approx(
            [step[field] for step in clean["steps"]["list"]], abs=0 if field == "step" else 50_000)
    assert report["ledger"]["rows"]["compute"] == clean["ledger"]["rows"]["compute"]
    assert report["quality"]["clamped_latencies"] == 0


def test_a_long_wait_on_host_and_device_is_possible(tauprof, tmp_path):
    """A collective hangs for 25 minutes: the kernel's end and the call that waits for it agree."""
    trace = loop()
    end = 25 * 60 * 1_000_000
    trace.kernel(39_100, end, launch=(39_000, 39_005))
    trace.call("cudaStreamSynchronize", 39_010, end + 20)
    report, said, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped"] == 0 and "impossible" not in said
    assert report["steps"]["list"][-1]["duration_ns"] > 24 * 60 * 10**9


def test_a_replay_that_is_off_by_more_than_the_step_is_said_in_words(tauprof, tmp_path):
    """In every second step a kernel starts a second late; no other step tells when."""
    trace = Trace(0, 1)
    begin = 0
    for step in range(6):
        late = 1_000_000 * (step % 2)
        trace.step(step, begin, begin + 2_000 + late)
        trace.kernel(begin + 100, begin + 200, launch=(begin + 10, begin + 20))
        trace.kernel(begin + 500 + late, begin + 600 + late, launch=(begin + 480, begin + 490))
        begin += 2_000 + late
    logs = imported(tauprof, tmp_path, [trace])
    error = json.loads(run(tauprof, "analyze", logs, "--json", "-").stdout)["whatif"]["replay_error"]
    assert error > 1
    for command in (["analyze", logs, "--show", "all"], ["whatif", logs, "--speed", "kernel:*=2x"]):
        text = " ".join(run(tauprof, *command).stdout.split())
        assert "the replay does not hold for these steps" in text
        assert "are off by" not in text and "replay error" not in text


def test_a_long_wait_at_the_end_is_possible(tauprof, tmp_path):
    """The host has launched everything within 40 ms; the last all-reduce waits for a second, and work follows it."""
    trace = loop()
    trace.kernel(39_100, 1_040_000, launch=(39_000, 39_005), stream=20)
    trace.kernel(1_040_000, 1_040_300, launch=(39_010, 39_015))
    report, said, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped"] == 0 and "impossible" not in said
    assert sum(kernel["count"] for kernel in report["kernels"]) == STEPS * KERNELS + 2


def test_work_that_runs_on_after_the_last_call_is_possible(tauprof, tmp_path):
    trace = loop(latency=4_000)
    launch = trace.call("cudaGraphLaunch", 39_900, 39_950)
    for i in range(50):
        trace.on_device(40_100 + i * 1_000, 40_900 + i * 1_000, correlation=launch)
    report, _, _ = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped"] == 0


def test_numbers_that_are_none_are_dropped_by_the_import(tauprof, tmp_path, clean):
    trace = loop()
    text = json.dumps(trace.document())
    odd = [{"ts": "NaN", "dur": 1}, {"ts": 1e300, "dur": 1}, {"ts": US_OF_YEARS, "dur": -5}]
    events = [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, **times, "args": {"device": 0, "stream": 7}}
              for times in odd]
    trace.events += events
    source = tmp_path / "traces"
    source.mkdir()
    (source / "trace.json").write_text(json.dumps(trace.document()))
    assert text != json.dumps(trace.document())
    result = run(tauprof, "import", "kineto", source, "-o", tmp_path / "logs")
    assert "3 of" in result.stderr and "unreadable number (2)" in result.stderr
    report = json.loads(run(tauprof, "analyze", tmp_path / "logs", "--json", "-").stdout)
    assert report["steps"]["list"] == clean["steps"]["list"]


def test_a_trace_in_another_unit_is_refused_with_the_reason(tauprof, tmp_path):
    """Nanoseconds since 1970 where microseconds belong are no times that fit."""
    trace = loop()
    for event in trace.events:
        event["ts"] *= 1_000
    trace.write(tmp_path / "trace.json")
    result = run(tauprof, "import", "kineto", tmp_path / "trace.json", "-o", tmp_path / "logs")
    assert result.returncode == 3
    assert f"no usable events: unreadable number ({len(trace.events)}); left out" in result.stderr


YEAR_2262_US = 9_223_372_036_854_775


def kernel_in_2262(trace):
    trace.on_device(at(trace, YEAR_2262_US - 100), at(trace, YEAR_2262_US), correlation=trace.call("cudaLaunchKernel", 9, 10))


def operator_in_2262(trace):
    trace.event("cpu_op", "aten::add", at(trace, YEAR_2262_US - 1_000), at(trace, YEAR_2262_US - 900))


def range_until_2262(trace):
    trace.annotation("epoch", 0, at(trace, YEAR_2262_US))


@pytest.mark.parametrize("add", [kernel_in_2262, operator_in_2262, range_until_2262])
def test_times_that_no_log_can_hold_are_dropped_by_the_import(tauprof, tmp_path, clean, add):
    trace = loop()
    add(trace)
    report, _, health = analysed(tauprof, tmp_path, trace)
    assert report["quality"]["dropped_by_reason"] == {"unreadable number": 1}
    assert recording(health)[0].lower() == "fail"
    assert report["steps"]["list"] == clean["steps"]["list"]


def test_a_trace_of_2262_is_refused_with_the_reason(tauprof, tmp_path):
    trace = loop()
    for event in trace.events:
        event["ts"] += YEAR_2262_US - US_OF_YEARS - 60_000
    trace.write(tmp_path / "trace.json")
    result = run(tauprof, "import", "kineto", tmp_path / "trace.json", "-o", tmp_path / "logs")
    assert result.returncode == 3 and "no usable events: unreadable number" in result.stderr
