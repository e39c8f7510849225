"""The report of a recorded run matches the truth of the simulated devices, to the nanosecond where that has it."""

import pytest

import expected_report
from recorded_run import training
from simgpu_truth.reader import read_directory

STEPS = 6
# Every kind of collective on one communicator and on several, and steps of several micro-batches.
CASES = [(1, "--loss-every 1"), (2, "--loss-every 1"), (4, ""), (4, "--zero"), (4, "--tensor 2"), (4, "--experts"),
         (2, "--micro-batches 2 --clip 1"), (2, "--backward-on-main-thread --collectives-on-compute-stream")]


def recorded(recorder, ranks, text):
    run = recorder.run(training(f"--steps {STEPS} {text}", ranks), options="wander_us=0")
    assert run.errors == ""
    return run.report(), expected_report.ranks_of(run, read_directory(run.truth))


def rows_with_idle_together(ledger):
    rows = dict(ledger["rows"])
    rows["idle"] = sum(rows.pop(name) for name in list(rows) if name.startswith("idle_"))
    assert rows.pop("exposed_comm_unsplit") == rows.pop("fused_comm_compute") == 0
    assert rows.pop("unclassified") == 0
    return rows


@pytest.mark.parametrize("ranks,text", CASES, ids=[f"{ranks} {text}".strip() for ranks, text in CASES])
def test_the_report_of_a_marked_run_matches_the_truth(recorder, ranks, text):
    report, truth = recorded(recorder, ranks, f"--nvtx {text}")
    assert report["steps"]["count"] == STEPS
    assert [row["duration_ns"] for row in report["steps"]["list"]] == pytest.approx(
        expected_report.step_durations(truth), abs=1)
    assert rows_with_idle_together(report["ledger"]) == expected_report.ledger(truth)
    expected = expected_report.overlap(truth)
    assert {name: report["overlap"][name] for name in expected} == expected
    waiting, transferring, count = expected_report.waits(truth)
    collectives = report["collectives"]
    assert sum(row["wait_ns"] for row in collectives) == waiting
    assert sum(row["transfer_ns"] for row in collectives) == transferring
    assert sum(row["count"] for row in collectives) == count


@pytest.mark.parametrize("ranks,text", [(1, ""), (2, "--loader-on-main-thread --loader-ms 3"), (4, "--zero")])
def test_phases_match_those_that_the_program_announced(recorder, ranks, text):
    report, truth = recorded(recorder, ranks, f"--nvtx {text}")
    phases = {row["name"]: row for row in report["phases"]}
    for name, time_ns in expected_report.phase_device_times(truth).items():
        assert phases[name]["device_ns"]["mean"] == pytest.approx(time_ns, abs=1), name
    for name, time_ns in expected_report.phase_host_times(truth).items():
        assert phases[name]["host_ns"]["median"] == pytest.approx(time_ns, abs=1), name


@pytest.mark.parametrize("ranks,text", [(1, ""), (4, ""), (2, "--micro-batches 4"), (4, "--pipeline 2 --micro-batches 4"),
                                        (1, "--graph"), (2, "--zero")])
def test_steps_are_found_without_markers(recorder, ranks, text):
    report, truth = recorded(recorder, ranks, text)
    assert report["steps"]["count"] == STEPS
    durations = [row["duration_ns"] for row in report["steps"]["list"]]
    if "--graph" not in text:  # nodes of graphs are in the truth, not in the log; set-up belongs to the first step
        expected = expected_report.step_durations(truth)
        assert sum(durations[1:]) == pytest.approx(sum(expected[1:]), rel=0.05)
