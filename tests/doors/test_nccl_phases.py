"""NCCL's own account of symmetric kernels: how long each channel waited for the other ranks. NCCL is asked only where
the user wants it, and its account is held against what the simulated NCCL did."""

import sys

import pytest

from door_runs import door_program, run_program
from recorded_run import HERE, tauprof

sys.path.insert(0, str(HERE.parent / "simgpu" / "truth"))

from simgpu_truth.reader import read_directory  # noqa: E402

ASKED = {"TAUPROF_CAPTURE": "api,device,gemm,nccl,nvtx,memory,telemetry,nccl-phases"}
STEPS = 4
LATE_RANK = "--windows --slow-rank 1:80"


def waits_of_truth(run):
    """{process: [(wait, transfer) of each collective, in order]}"""
    return {process.pid: [(part.ready - part.arrival, part.end - part.ready)
                          for part in sorted(process.collectives, key=lambda part: part.sequence)]
            for process in read_directory(run.truth)}


def channels_by_collective(log):
    channels = {}
    for row in log.rows["channel_phases"]:
        channels.setdefault(row["sequence"], []).append(row)
    return channels


@pytest.mark.parametrize("way", ["shared", "static", "late_nccl"])
def test_each_channel_says_how_long_it_waited(recorder, way):
    run = run_program(recorder, way, LATE_RANK, variables=ASKED)
    assert (run.status, run.errors) == (0, "")
    assert run.faults() == ""
    truth = waits_of_truth(run)
    for log in run.read_logs():
        channels = channels_by_collective(log)
        calls = [row["sequence"] for row in log.rows["collective"]]
        assert sorted(channels) == sorted(calls) and len(calls) > STEPS
        for sequence, (wait, transfer) in zip(sorted(channels), truth[log.pid], strict=True):
            rows = channels[sequence]
            assert [row["channel"] for row in sorted(rows, key=lambda row: row["channel"])] == list(range(len(rows)))
            assert all(abs(row["opening"] - wait) <= 1000 for row in rows)
            assert all(abs(row["work"] + row["closing"] - transfer) <= 1000 for row in rows)


# Kernels for little data have a first piece of it in what they call waiting.
@pytest.mark.parametrize("options", [LATE_RANK, f"{LATE_RANK} --bucket-mb 0.1"])
def test_waits_are_as_nccl_says(recorder, options):
    run = run_program(recorder, "shared", options, variables=ASKED)
    report = run.report()
    truth = waits_of_truth(run)
    collectives = sum(row["count"] for row in report["collectives"])
    told = report["quality"]["nccl_split"]
    assert told["collectives"] == report["quality"]["collectives"]["split"] == collectives
    assert told["compared_waits"] == 2 * collectives
    # Clocks are right here, but ends scatter.
    assert 0 <= told["mean_difference_ns"] <= told["most_difference_ns"] < 20_000
    true = sum(wait for waits in truth.values() for wait, _ in waits)
    assert sum(row["wait_ns"] for row in report["collectives"]) == pytest.approx(true, rel=0.01)


@pytest.mark.parametrize("options, variables", [
    (LATE_RANK, {}),                    # nobody asks NCCL
    ("--slow-rank 1:80", ASKED),        # these kernels have no phases
    ("--zero --slow-rank 1:80", ASKED),
])
def test_else_nothing_is_said(recorder, options, variables):
    run = run_program(recorder, "shared", options, variables=variables)
    assert (run.status, run.errors) == (0, "")
    assert run.faults() == ""
    assert not any(log.rows["channel_phases"] for log in run.read_logs())
    assert "nccl_split" not in run.report()["quality"]
    notes = tauprof("analyze", str(run.logs)).stderr
    assert ("NCCL reported no phases of its kernels (nccl-phases) in 2 logs" in notes) == bool(variables)


def test_captured_collectives_are_left_alone(recorder):
    run = run_program(recorder, "shared", "--windows --graph", variables=ASKED)
    assert (run.status, run.errors) == (0, "")
    assert run.faults() == ""


@pytest.mark.parametrize("version", [4, 5, 6])
def test_a_second_plugin_gets_none_of_it(recorder, tmp_path, version):
    """Its handles may be in the place of ours; then nothing is split."""
    variables = {**ASKED, "LD_LIBRARY_PATH": door_program(f"plugin{version}"), "SECOND_PLUGIN_OUT": str(tmp_path / "events")}
    run = run_program(recorder, "shared", LATE_RANK, variables=variables)
    assert run.status == 0
    assert run.faults() == ""
    if version > 4:
        starts = [line for line in (tmp_path / "events").read_text().splitlines() if line.startswith("start ")]
        assert {line.split()[1] for line in starts} <= {"256", "512", "1024"}  # groups, collectives, messages: what it asked for
