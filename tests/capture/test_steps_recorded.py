"""Recordings of the training job without a marker: its steps and phases are compared with those that it announced."""

import statistics

import pytest

import expected_report
from recorded_run import training
from simgpu_truth.reader import read_directory

STEPS = 9
# (ranks, arguments) that make the search for steps hard.
CASES = [(1, ""), (2, "--loss-every 1"), (2, "--micro-batches 4 --sync-every-micro-batch"), (2, "--eval-every 4"),
         (1, "--eval-every 4 --eval-batches 9"), (1, "--checkpoint-every 3 --log-every 2 --log-ms 5"),
         (2, "--backward-on-main-thread --collectives-on-compute-stream"), (2, "--zero"),
         (4, "--pipeline 2 --micro-batches 3"), (2, "--pipeline 2 --micro-batches 4 --wait-for-messages"),
         (2, "--tensor 2"), (2, "--experts"), (1, "--graph"),
         (2, "--clip 1 --clip-reads-norm"), (1, "--loader-on-main-thread --loader-ms 8"),
         (2, "--barrier-every-step --sync-every-step --sync-every-layer"), (1, "--scratch malloc"), (1, "--slices 4"),
         (1, "--backward-thread-name worker")]
WITHOUT_PHASES = ("--graph",)  # the truth has the nodes of a graph singly


def recorded(recorder, ranks, text, *options):
    run = recorder.run(training(f"--layers 2 --steps {STEPS} {text}", ranks), options="wander_us=0")
    assert run.errors == ""
    return run.report(*options), [expected_report.RankTruth(process) for process in read_directory(run.truth)]


def device_times(truth, skipped):
    """{phase: mean over ranks and steps after warm-up}"""
    windows = [(rank, window) for rank in truth for window in rank.windows[skipped:]]
    return {phase: statistics.fmean(rank.device_time(what, window) for rank, window in windows)
            for what, phase in expected_report.PHASES.items()}


@pytest.mark.parametrize("ranks,text", CASES, ids=[f"{ranks} {text}".strip() for ranks, text in CASES])
def test_steps_and_phases_are_found(recorder, ranks, text):
    report, truth = recorded(recorder, ranks, text)
    steps = report["steps"]
    assert not steps["detected_by"].startswith("marker") and steps["detected_by"] != "none"
    assert steps["warmup"] + steps["count"] == STEPS, steps["reason"]
    if text in WITHOUT_PHASES:
        return
    step_ns = steps["duration_ns"]["mean"]
    found = {row["name"]: row["device_ns"]["mean"] for row in report["phases"]}
    for phase, time_ns in device_times(truth, steps["warmup"]).items():
        got = found[phase] + (found["unscale_clip"] if phase == "optim_step" else 0)  # the program clips in its update
        assert got == pytest.approx(time_ns, abs=0.01 * step_ns), phase


@pytest.mark.parametrize("text", ["", "--micro-batches 3", "--backward-on-main-thread"])
def test_updates_without_a_name_are_reported_by_time(recorder, text):
    """Neither a range nor a kernel speaks of an update; what recurs may be a micro-batch."""
    report, _ = recorded(recorder, 1, f"--unfused-optimizer {text}")
    assert (report["steps"]["detected_by"], report["steps"]["unit"]) == ("time", "slice")
    assert "steps-unsure" in [finding["id"] for finding in report["findings"]]


def test_the_wait_for_data_has_its_true_length(recorder):
    """That of the first step is before its work, and no part of it."""
    report, [truth] = recorded(recorder, 1, "--loader-on-main-thread --loader-ms 20", "--steps", f"1:{STEPS - 1}")
    assert (report["steps"]["warmup"], report["steps"]["count"]) == (0, STEPS - 1)
    waited = [truth.host_time("phase:data", step) for step in range(1, STEPS)]
    step_ns = report["steps"]["duration_ns"]["median"]
    assert report["input"]["fetch_wait_ns"]["median"] == pytest.approx(statistics.median(waited), abs=0.02 * step_ns)


def test_waiting_for_the_device_is_not_waiting_for_data(recorder):
    """A fast loader fills a buffer that the device still uses: the host waits in the loader, but not for data."""
    report, [truth] = recorded(recorder, 1, "--loader-ms 0.1")
    in_loader = [truth.host_time("phase:data", step) for step in range(report["steps"]["warmup"], STEPS)]
    waited = report["input"]["fetch_wait_ns"]
    assert waited["mean"] <= statistics.fmean(in_loader) + 0.02 * report["steps"]["duration_ns"]["mean"]
    assert report["ledger"]["rows"]["idle_data_wait"] < 0.1 * report["ledger"]["step_ns"]


def test_a_slow_loader_costs_the_device_time(recorder):
    report, _ = recorded(recorder, 1, "--loader-on-main-thread --loader-ms 20")
    assert report["ledger"]["rows"]["idle_data_wait"] > 0.3 * report["ledger"]["step_ns"]
    assert report["input"]["ranks"][0]["pattern"] == "steady"
    assert report["input"]["batches_per_s"]["mean"] == pytest.approx(1e9 / report["steps"]["duration_ns"]["mean"])
