"""Runs without device times: the report has what the host tells, compared with the truth, says why there are none, and
gives null for all that only a device tells."""

import collections
import statistics

import pytest

import expected_report
from compare_with_truth import OPERATIONS
from recorded_run import program, tauprof, training
from simgpu_truth.reader import read_directory

STEPS = 6
OFF = {"TAUPROF_DEVICE_TIMING": "off"}
REFUSED = {"TAUPROF_DEVICE_TIMING": "cupti", "SIMGPU_CUPTI_FAULTS": "enable=15"}
NO_BUFFERS = {"SIMGPU_CUPTI_FAULTS": "no_buffers"}
DEVICE_KEYS = {
    "steps": ("duration_ns",), "overlap": ("comm_ns", "compute_ns", "hidden_comm_ns", "exposed_comm_ns", "overlap_fraction"),
    "ledger": ("rows", "by_phase", "evidence", "sum_ns", "step_ns"), "stragglers": ("pattern", "unblamed_ns", "rules")}


def recorded(recorder, ranks, text, variables):
    run = recorder.run(training(f"--steps {STEPS} {text}", ranks), options="wander_us=0", variables=variables)
    assert run.status == 0
    return run, expected_report.ranks_of(run, read_directory(run.truth))


def leaves(value):
    if isinstance(value, dict):
        return [leaf for entry in value.values() for leaf in leaves(entry)]
    return [leaf for entry in value for leaf in leaves(entry)] if isinstance(value, list) else [value]


def assert_nothing_of_devices(report):
    for section, keys in DEVICE_KEYS.items():
        for key in keys:
            assert set(leaves(report[section][key])) == {None}, (section, key)
    for step in report["steps"]["list"]:
        assert step["duration_ns"] is None
    for phase in report["phases"]:
        assert phase["device_ns"] is phase["device_of_ranks_ns"] is phase["device_share"] is None
    for rank in report["per_rank"]:
        assert set(leaves([rank["step_ns"], rank["ledger"], rank["overlap"], rank["hta"]])) == {None}
    for row in report["collectives"]:
        assert row["untimed"] == row["count"]
        assert [row[key] for key in ("algbw_gb_per_s", "busbw_gb_per_s", "busbw_transfer_gb_per_s", "wait_ns",
                                     "transfer_ns", "skew_ns", "exposed_ns")] == [None] * 7
    times = ("span_ns", "wait_ns", "transfer_ns", "unsplit_ns", "exposed_ns", "exposed_wait_ns")
    communication = report["communication"]
    for row in [communication["total"], *communication["by_comm"], *communication["by_phase"], *communication["by_rank"]]:
        assert row["count"] == 0 or {row[key] for key in times} == {None}
    for rank in report["stragglers"]["ranks"]:
        assert rank.pop("rank") is not None and set(leaves(rank)) == {None}
    assert report["input"]["copy_ns"] is None
    assert set(leaves(report["input"]["batches_per_s"])) == {None}
    assert report["kernels"] == report["stragglers"]["found"] == []
    paths = [row for section in ("operators", "modules", "lines", "call_tree") for row in report[section]]
    assert report["call_tree"] and all(row["host_ns"] >= 0 for row in paths)
    for row in paths:
        assert {value for key, value in row.items() if key == "launched" or key.endswith(
            ("device_ns", "exposed_ns", "idle_ns", "blocked_ns"))} == {None}


def assert_host_durations(report, truth):
    """Each is the mean of the ranks'."""
    of_steps = zip(*(rank.recorded_steps() for rank in truth))
    assert [row["host_duration_ns"] for row in report["steps"]["list"]] == pytest.approx(
        [statistics.fmean(of_step) for of_step in of_steps], abs=1)


def collectives_of(truth):
    """{(operation, bytes): occurrences}"""
    found = collections.defaultdict(set)
    for rank in truth:
        for parts in rank.parts.values():
            for part in parts:
                found[OPERATIONS[part.operation], part.bytes].add((part.communicator, part.sequence))
    return {what: len(occurrences) for what, occurrences in found.items()}


def calls_in_steps(log):
    """The durations of each function's calls, between the first step's marker and the end of the last."""
    steps = [row for row in log.rows["range"] if row["name"].startswith("step ")]
    start, end = min(row["start"] for row in steps), max(row["start"] + row["duration"] for row in steps)
    found = collections.defaultdict(list)
    for kind in ("call", "gemm", "collective"):
        for row in log.rows[kind]:
            if start <= row["start"] < end:
                found[row["function"]].append(row["duration"])
    return found


@pytest.mark.parametrize("ranks,text,variables,why", [
    (1, "--loss-every 1", OFF, "not wanted: TAUPROF_DEVICE_TIMING=off"),
    (4, "", REFUSED, "CUPTI_ERROR"),
    (1, "", NO_BUFFERS, "CUPTI: no buffer for CUPTI"),
    (4, "--tensor 2", OFF, "not wanted: TAUPROF_DEVICE_TIMING=off")])
def test_the_host_is_reported_as_the_truth_says(recorder, ranks, text, variables, why):
    run, truth = recorded(recorder, ranks, f"--nvtx {text}", variables)
    report = run.report()
    assert_nothing_of_devices(report)
    [untimed] = report["quality"]["no_device_times"]
    assert untimed["ranks"] == list(range(ranks)) and why in untimed["reason"]
    assert {rank["no_device_times"] for rank in report["per_rank"]} == {untimed["reason"]}
    assert "no-device-times" in [finding["id"] for finding in report["findings"]]
    assert {finding["id"] for finding in report["findings"]} <= {"no-device-times", "dropped", "input-stalls"}

    assert (report["steps"]["count"], report["steps"]["unit"]) == (STEPS, "step")
    assert_host_durations(report, truth)
    phases = {row["name"]: row for row in report["phases"]}
    for name, time_ns in expected_report.phase_host_times(truth).items():
        assert phases[name]["host_ns"]["median"] == pytest.approx(time_ns, abs=1), name

    found = collections.Counter()
    for row in report["collectives"]:
        found[row["op"], row["size_bytes"]] += row["count"]
    assert found == collectives_of(truth)

    calls = collections.defaultdict(list)
    for log in run.read_logs():
        for function, durations in calls_in_steps(log).items():
            calls[function] += durations
    assert {row["function"]: (row["count"], row["total_ns"], row["min_ns"], row["max_ns"]) for row in report["calls"]} == {
        function: (len(of), sum(of), min(of), max(of)) for function, of in calls.items()}
    enqueued = sum(row["enqueue_ns"]["mean"] * row["count"] * row["ranks"] for row in report["collectives"])
    assert enqueued == pytest.approx(sum(calls["ncclAllReduce"]), rel=0.01)

    text = tauprof("analyze", str(run.logs), "--show", "all").stdout
    assert why in text and "on the host: mean" in text and "host (issuing)" in text and "\nCALLS" in text
    assert "device (running)" not in text and "WHERE THE TIME GOES" not in text
    assert ("\nCOLLECTIVES   (as called on the host" in text) == (ranks > 1)


@pytest.mark.parametrize("ranks", [1, 2])
def test_without_names_of_kernels_no_update_is_known(recorder, ranks):
    run, _ = recorded(recorder, ranks, "--loss-every 1", OFF)
    report = run.report()
    assert_nothing_of_devices(report)
    assert (report["steps"]["unit"], report["steps"]["detected_by"]) == ("slice", "time")
    assert "steps-unsure" in [finding["id"] for finding in report["findings"]]


def test_the_ranks_that_have_device_times_keep_theirs(recorder):
    """Rank 2 of 4 has none."""
    blind, ranks = 2, 4
    script = "".join(
        f"RANK={rank} LOCAL_RANK={rank} GROUP_RANK=0 WORLD_SIZE={ranks} LOCAL_WORLD_SIZE={ranks} MASTER_ADDR=127.0.0.1 "
        f"MASTER_PORT=$PORT TAUPROF_DEVICE_TIMING={'off' if rank == blind else 'cupti'} \"$@\" &\n"
        for rank in range(ranks))
    script = ("PORT=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); "
              "print(s.getsockname()[1])')\n" + script + "wait")
    run = recorder.run(["bash", "-c", script, "job", program("TAUPROF_TRAINING"), "--small", "--steps", str(STEPS),
                        "--nvtx"], options="wander_us=0")
    assert run.status == 0, run.errors
    report = run.report()
    truth = sorted(expected_report.ranks_of(run, read_directory(run.truth)), key=lambda rank: rank.process.rank)
    timed = [rank for number, rank in enumerate(truth) if number != blind]
    assert report["quality"]["no_device_times"] == [{"ranks": [blind], "reason": "not wanted: TAUPROF_DEVICE_TIMING=off"}]
    assert [rank["no_device_times"] is None for rank in report["per_rank"]] == [True, True, False, True]
    assert [row["duration_ns"] for row in report["steps"]["list"]] == pytest.approx(
        expected_report.step_durations(timed), abs=1)
    assert_host_durations(report, truth)
    for row, rank in zip(report["per_rank"], truth):
        if row["rank"] == blind:
            assert set(leaves([row["step_ns"], row["ledger"], row["overlap"]])) == {None}
            continue
        assert row["step_ns"] == sum(end - start for start, end in rank.windows)
        assert row["ledger"]["compute"] == sum(rank.ledger(window, {})[0] for window in rank.windows)
        assert row["ledger"]["exposed_comm_wait"] == row["ledger"]["exposed_comm_transfer"] == 0
    expected = expected_report.overlap(timed)
    assert {name: report["overlap"][name] for name in expected} == expected

    assert {(row["op"], row["size_bytes"]): row["count"] for row in report["collectives"]} == collectives_of(truth)
    assert {row["untimed"] for row in report["collectives"]} == {0}
    assert {row["wait_ns"] for row in report["collectives"]} == {None}
    total = report["communication"]["total"]
    assert total["count"] == 4 * sum(collectives_of(truth).values()) and total["untimed"] == total["count"] // 4
    assert (total["wait_ns"], total["unsplit_ns"]) == (0, total["span_ns"])
    assert report["stragglers"]["found"] == []
    assert [rank["blamed_ns"] for rank in report["stragglers"]["ranks"]] == [0, 0, None, 0]
