"""Simulated jobs: every number in the report equals the oracle's, computed from the truth."""

import json
import subprocess

import pytest

from oracle import compare, efficiency, report, truth

JOBS = {
    "one rank": "--ranks 1",
    "two ranks": "--ranks 2",
    "four ranks": "--ranks 4 --steps 8",
    "eight ranks": "--ranks 8",
    "sixty-four ranks": "--ranks 64 --steps 3 --layers 3",
    "another seed": "--ranks 4 --seed 7 --jitter-permille 300",
    "annotations": "--ranks 2 --marker annotation",
    "one annotated step": "--ranks 2 --steps 1 --marker annotation",
    "no second thread": "--ranks 2 --no-autograd",
    "host runs ahead": "--ranks 2 --step-end none",
    "device synchronisation": "--ranks 2 --step-end device-sync",
    "blocking copy": "--ranks 2 --step-end blocking-copy",
    "launch bound": "--ranks 2 --gemm 5us --elementwise 2us --optimizer 3us --layer-bytes 65536 --link-latency 2us",
    "busy host": "--ranks 4 --busy-host 1=20 --gemm 20us --step-end none",
    "slow rank": "--ranks 4 --slow-rank 2=1.2",
    "slow link": "--ranks 4 --slow-link 1=3",
    "throttled rank": "--ranks 8 --throttle 5=1.4",
    "extra kernels": "--ranks 4 --extra-kernels 3=4",
    "stall": "--ranks 4 --stall 3:2=20ms",
    "stall of every step": "--ranks 8 --stall 6:*=4ms --step-end none",
    "allocation": "--ranks 4 --allocation 2:*=6ms --step-end none",
    "allocation in one step": "--ranks 4 --allocation 1:2=30ms",
    "data wait": "--ranks 4 --data-wait 1:*=8ms --step-end none",
    "data wait after a synchronisation": "--ranks 4 --data-wait 1:2=8ms",
    "data wait without a range": "--ranks 4 --data-wait 1:*=8ms --step-end none --unmarked-data-wait",
    "synchronisation in every layer": "--ranks 4 --layer-sync 2=1",
    "two communication streams": "--ranks 8 --tensor-parallel 2 --slow-rank 3=1.3",
    "sharded": "--ranks 4 --sharded --stall 1:1=5ms",
    "sharded with two streams": "--ranks 8 --sharded --tensor-parallel 4",
    "broadcast": "--ranks 4 --broadcast --stall 0:1=5ms",
    "all-to-all": "--ranks 4 --all-to-all --slow-rank 1=1.5",
    "point-to-point": "--ranks 4 --pipeline 2 --micro-batches 3",
    "four stages": "--ranks 8 --pipeline 4 --micro-batches 4 --slow-rank 2=1.5",
    "buffered sends": "--ranks 4 --pipeline 2 --micro-batches 3 --buffered-sends --data-wait 2:1=40ms",
    "everything parallel": "--ranks 16 --steps 3 --pipeline 2 --tensor-parallel 2 --all-to-all --broadcast",
    "a missing peer": "--ranks 4 --missing 2",
    "only one log": "--ranks 4 --missing 0,1,3",
    "missing pipeline peers": "--ranks 4 --pipeline 2 --tensor-parallel 2 --missing 3",
    "graph without nodes": "--ranks 2 --graph",
    "spans without calls": "--ranks 2 --orphans",
    "work outside the steps": "--ranks 2 --outside-work",
    "lost spans": "--ranks 2 --drop 1:2=5,0:0=3",
    "a lost kernel of a collective": "--ranks 4 --steps 8 --lose-collectives 2:3=1 --slow-rank 1=1.2",
    "lost kernels of messages": "--ranks 4 --pipeline 2 --micro-batches 3 --lose-collectives 2:1=3,3:2=2",
    "lost kernels of several ranks": "--ranks 4 --sharded --lose-collectives 2:1=2,0:3=1",
    "recording gap": "--ranks 2 --gap 1:2=10ms",
    "warm-up": "--ranks 4 --steps 10 --stall 0:0=60ms,0:1=30ms",
    "kernels below a microsecond": "--ranks 2 --gemm 700ns --elementwise 300ns --optimizer 400ns",
    "two hosts": "--ranks 4 --hosts 2",
    "clocks of two hosts": "--ranks 8 --hosts 2 --clock-offset 4=5s,5=5s,6=5s,7=5s --slow-rank 6=1.3",
    "a clock for each rank": "--ranks 4 --hosts 4 --clock-offset 0=7us,1=-3ms,2=123456789ns,3=-17s --broadcast",
    "messages between clocks": "--ranks 4 --hosts 4 --pipeline 2 --clock-offset 1=40ms,2=-123us --buffered-sends",
    "fused collectives": "--ranks 4 --fused-reduces --slow-rank 1=1.2 --step-end none",
    "collectives of many sizes": "--ranks 4 --sweep-bytes 1024,65536,1048576,33554432 --slow-rank 1=1.2",
    "grouped buckets": "--ranks 4 --grouped-buckets --slow-rank 2=1.2",
    "groups of one and two": "--ranks 4 --layers 3 --grouped-buckets",
    "grouped shards": "--ranks 4 --sharded --grouped-buckets --step-end none",
    "all-to-all of messages": "--ranks 4 --all-to-all --all-to-all-by-messages --slow-rank 1=1.5",
    "all-to-all of messages beside two streams":
        "--ranks 8 --tensor-parallel 2 --all-to-all --all-to-all-by-messages --grouped-buckets",
    "two devices in a process": "--ranks 2 --devices-per-process 2",
    "two processes of two devices": "--ranks 4 --devices-per-process 2 --slow-rank 3=1.3 --step-end none",
    "devices and hosts": "--ranks 8 --hosts 2 --devices-per-process 2 --clock-offset 4=2ms,6=2ms --all-to-all",
    "devices with groups": "--ranks 4 --devices-per-process 2 --grouped-buckets --all-to-all --all-to-all-by-messages",
    "only steps are marked": "--ranks 4 --no-phase-ranges --step-end device-sync --stall 1:*=3ms",
    "only steps are marked, one thread": "--ranks 2 --no-phase-ranges --no-autograd --step-end blocking-copy",
    "only steps are marked, waiting for data": "--ranks 4 --no-phase-ranges --data-wait 1:*=8ms --step-end device-sync",
    "only steps are marked, groups": "--ranks 4 --no-phase-ranges --grouped-buckets --graph --step-end none",
}

# The rank that must come first among the stragglers.
CULPRITS = {"allocation": 2, "slow rank": 2, "throttled rank": 5, "extra kernels": 3, "stall": 3, "stall of every step": 6,
            "data wait": 1, "busy host": 1, "synchronisation in every layer": 2}

# For each ledger row, a job that has time in it.
SEEN = {
    "fused_comm_compute": "fused collectives", "exposed_comm_unsplit": "a missing peer", "unclassified": "graph without nodes", "idle_dependency": "two ranks",
    "idle_device_latency": "two ranks", "idle_host_sync": "two ranks", "idle_host_launch": "launch bound",
    "idle_data_wait": "data wait without a range", "idle_host_stall": "stall", "idle_host_allocation": "allocation",
    "idle_other": "spans without calls",
}


def run(command):
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{command} ended with {finished.returncode}: {finished.stderr}"
    return finished.stdout


def generate(tauprof_generate, job, folder):
    """Writes the job's logs to `folder`/logs and returns its truth."""
    path = folder / "truth.jsonl"
    run([tauprof_generate, *JOBS[job].split(), "--out", str(folder / "logs"), "--truth", str(path)])
    return truth.load(path)


@pytest.mark.parametrize("job", JOBS)
def test_the_report_equals_the_oracles(job, tauprof, tauprof_generate, tmp_path):
    expected = report.expected(generate(tauprof_generate, job, tmp_path))
    assert_is_consistent(expected)
    got = json.loads(run([tauprof, "analyze", str(tmp_path / "logs"), "--json", "-",
                          "--peak-tflops", str(efficiency.PEAK_FLOPS / 1e12)]))
    found = compare.differences(expected, got)
    assert not found, f"{len(found)} differences:\n{compare.table(found)}"
    assert sum(row["share"] for row in got["efficiency"]["waterfall"]) == pytest.approx(1, abs=1e-12)


def assert_is_consistent(expected):
    """Equations that hold by definition in every job."""
    ledger = expected["ledger"]
    assert sum(ledger["rows"].values()) == ledger["sum_ns"] == ledger["step_ns"]
    assert sum(sum(rows.values()) for rows in ledger["by_phase"].values()) == ledger["sum_ns"]
    assert sum(row["step_ns"] for row in expected["per_rank"]) == ledger["step_ns"]
    exposed = sum(ns for row, ns in ledger["rows"].items() if row.startswith("exposed_comm"))
    beside_fused = expected["overlap"]["exposed_comm_ns"] - exposed
    assert 0 <= beside_fused <= ledger["rows"]["fused_comm_compute"]
    assert sum(row["host_share"] for row in expected["phases"] if not row["derived"]) == 1


@pytest.mark.parametrize("job", dict.fromkeys(SEEN.values()))
def test_the_waterfall_is_all_the_time_without_a_peak_and_of_some_steps(job, tauprof, tauprof_generate, tmp_path):
    generate(tauprof_generate, job, tmp_path)
    for options in ("", "--steps 0:1 --peak-tflops 100"):
        got = json.loads(run([tauprof, "analyze", str(tmp_path / "logs"), "--json", "-", *options.split()]))
        shares = {row["name"]: row["share"] for row in got["efficiency"]["waterfall"]}
        assert sum(shares.values()) == pytest.approx(1, abs=1e-12)
        if got["efficiency"]["hfu"] is not None:
            assert shares["recomputation"] + shares["model"] == pytest.approx(got["efficiency"]["hfu"], abs=1e-12)
        for row, ns in got["ledger"]["rows"].items():
            if row != "compute":
                assert shares[row] * got["ledger"]["step_ns"] == pytest.approx(ns, abs=0.5)


@pytest.mark.parametrize("job", CULPRITS)
def test_the_culprit_is_blamed_most(job, tauprof_generate, tmp_path):
    expected = report.expected(generate(tauprof_generate, job, tmp_path))
    assert expected["stragglers"]["most_blamed"] == CULPRITS[job]


@pytest.mark.parametrize("row", SEEN)
def test_some_job_has_time_in_each_ledger_row(row, tauprof_generate, tmp_path):
    expected = report.expected(generate(tauprof_generate, SEEN[row], tmp_path))
    assert expected["ledger"]["rows"][row] > 0


@pytest.mark.parametrize("job", [job for job, options in JOBS.items() if "--devices-per-process" not in options])
def test_the_oracles_rules_find_the_programs_own_steps_and_phases(job, tauprof_generate, tmp_path):
    simulated = generate(tauprof_generate, job, tmp_path)
    for rank in simulated.ranks.values():
        for call in rank.process.calls:
            assert call.step == call.program_step
            if call.program_phase != "other" and "--no-phase-ranges" not in JOBS[job]:
                assert call.phase == call.program_phase


@pytest.mark.parametrize("job", ["grouped buckets", "all-to-all of messages"])
def test_a_group_of_collectives_is_one_unit(job, tauprof_generate, tmp_path):
    simulated = generate(tauprof_generate, job, tmp_path)
    for rank in simulated.ranks.values():
        grouped = [call for call in rank.process.calls if call.function == "ncclGroupEnd"]
        assert grouped
        for end in grouped:
            assert len([span for span in rank.spans if span.call is end]) == 1
    assert "send_receive" not in {collective.op for collective in simulated.collectives.values()}


def test_the_cost_of_a_straggler_is_the_time_saved_without_it(tauprof, tauprof_generate, tmp_path):
    def analysed(name, *options):
        logs = tmp_path / name
        run([tauprof_generate, "--ranks", "4", "--steps", "20", *options, "--out", str(logs),
             "--truth", str(tmp_path / f"{name}.jsonl")])
        return json.loads(run([tauprof, "analyze", str(logs), "--json", "-"]))

    slow, clean = analysed("slow", "--slow-rank", "2=1.3"), analysed("clean")
    gain = slow["steps"]["duration_ns"]["mean"] - clean["steps"]["duration_ns"]["mean"]
    finding = next(finding for finding in slow["findings"] if finding["id"] == "straggler")
    assert finding["ranks"] == [2]
    assert abs(finding["saves_ns_per_step"] - gain) < 0.03 * gain
    assert clean["stragglers"]["found"] == []
