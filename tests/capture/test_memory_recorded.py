"""Recordings of the training job that leaks device memory, or not: the report says how much, per step and where."""

import json

import pytest

from perfetto_trace import Trace
from recorded_run import Recorder, tauprof, training

STEPS, LEAK = 14, 200_000_000
JOB = f"--layers 2 --steps {STEPS}"


def memory_findings(report):
    return [finding for finding in report["findings"] if finding["id"] == "memory-growth"]


@pytest.fixture(scope="module")
def leaking(tmp_path_factory):
    return Recorder(tmp_path_factory.mktemp("leaking")).run(training(f"{JOB} --memory-growth-mb {LEAK / 1e6}", 2))


@pytest.fixture(scope="module")
def steady(tmp_path_factory):
    return Recorder(tmp_path_factory.mktemp("steady")).run(training(JOB, 2))


def test_a_leak_is_found_with_its_size(leaking):
    report = leaking.report()
    [finding] = memory_findings(report)
    assert finding["ranks"] == [] and "200 MB a step" in finding["evidence"], finding
    assert finding["saves_ns_per_step"] is None and "until the device is full" in finding["saves_reason"]
    for rank in report["memory"]["ranks"]:
        assert rank["is_growing"] and rank["growth_bytes_per_step"] == LEAK, rank
        assert 0.8 <= rank["allocations_per_step"] <= 1.2 and rank["frees_per_step"] == 0


def test_a_steady_job_has_no_finding_and_no_growth(steady):
    report = steady.report()
    assert memory_findings(report) == []
    for rank in report["memory"]["ranks"]:
        assert not rank["is_growing"] and rank["growth_bytes_per_step"] == 0, rank


def test_peaks_are_what_the_calls_allocated(leaking, steady):
    for run in (leaking, steady):
        memory = run.report()["memory"]
        assert memory["peak_bytes"] == sum(memory["by_phase"].values())
        logs = {log.rows["process"][-1]["rank"]: log for log in run.read_logs()}
        for rank in memory["ranks"]:
            in_use, peak, blocks = 0, 0, {}
            for row in sorted(logs[rank["rank"]].rows["memory"], key=lambda row: row["time"]):
                if row["action"] == "allocate":
                    blocks[row["address"]] = row["bytes"]
                    in_use += row["bytes"]
                else:
                    in_use -= blocks.pop(row["address"])
                peak = max(peak, in_use)
            assert rank["peak_bytes"] == peak == sum(rank["by_phase"].values())
            assert max(step["bytes"] for step in rank["in_use"]) <= peak
            assert rank["share_of_device"] == pytest.approx(peak / rank["device_bytes"])
            assert not rank["is_lower_bound"]
    assert leaking.report()["memory"]["peak_bytes"] >= steady.report()["memory"]["peak_bytes"] + (STEPS - 1) * LEAK


def test_a_comparison_says_how_memory_differs(leaking, steady):
    done = tauprof("diff", str(leaking.logs), "--against", str(steady.logs), "--json", "-")
    memory = json.loads(done.stdout)["memory"]
    assert memory["growth_bytes_per_step"] == {"a": LEAK, "b": 0}
    for side, run in (("a", leaking), ("b", steady)):
        assert memory["peak_bytes"][side] == run.report()["memory"]["peak_bytes"]
    assert "growth_bytes_per_step" in tauprof("diff", str(leaking.logs), "--against", str(steady.logs), "--show", "memory").stdout


def test_a_leak_on_one_device_names_its_rank(leaking):
    [finding] = memory_findings(leaking.report("--ranks", "1"))
    assert "on rank 1" in finding["evidence"]


def test_the_section_shows_each_rank(leaking, steady):
    text = tauprof("analyze", str(leaking.logs), "--show", "memory").stdout
    lines = [line.split() for line in text.splitlines() if line.startswith("   ") and " MiB !" in line]
    assert [line[0] for line in lines] == ["0", "1"] and text.startswith("MEMORY ")
    [timeline] = [line for line in text.splitlines() if "in use at the end of each step: " in line]
    marks = timeline.split(": ")[1].split(" · ")[0]
    assert list(marks) == sorted(marks) and marks[-1] == "█"
    assert "rank 1 grows in a step by: " in text and "190.73 MiB" in text
    assert " !" not in tauprof("analyze", str(steady.logs), "--show", "memory").stdout


def test_freed_memory_is_not_in_use(recorder):
    run = recorder.run(training(f"{JOB} --scratch malloc"))
    [rank] = run.report()["memory"]["ranks"]
    assert rank["frees_per_step"] > 10 and abs(rank["allocations_per_step"] - rank["frees_per_step"]) < 1
    assert rank["growth_bytes_per_step"] == 0 and not rank["is_growing"]


def test_without_allocations_nothing_is_claimed(recorder):
    run = recorder.run(training(JOB), variables={"TAUPROF_CAPTURE": "device,nvtx"})
    report = run.report()
    assert report["memory"] is None and memory_findings(report) == []


def test_the_track_of_memory_in_perfetto_has_the_peak(leaking, tmp_path):
    assert tauprof("export", str(leaking.logs), "-f", "perfetto", "-o", str(tmp_path / "run.pftrace")).returncode == 0
    trace = Trace((tmp_path / "run.pftrace").read_bytes())
    peaks = {}
    for count in trace.counts:
        process, *names = trace.path_of(count.track)
        if names == ["device memory in use"]:
            peaks[process] = max(peaks.get(process, 0), count.value)
    expected = [rank["peak_bytes"] for rank in leaking.report()["memory"]["ranks"]]
    assert [peaks[process] for process in sorted(peaks)] == expected
