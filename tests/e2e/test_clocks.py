"""Logs with wrong clocks: the true offset is always within the bound, and the bound is what the collectives prove."""

import json
import subprocess

import pytest

from oracle import clocks, collectives, truth

START_NS = 10**12  # when the simulated clocks differ by exactly their offsets

FAR = "--clock-offset 0=7s,1=-10s,2=3s,3=10s --wall-clock-error 0=1s,1=-4s,2=3ms,3=-10s"
FAR_AND_DRIFTING = f"{FAR} --clock-drift 0=50,1=-50,2=13.5,3=50"
EIGHT_DRIFTING = ("--clock-offset 0=1s,1=-3s,2=9s,3=-8s,4=123us,5=2ms,6=-5us,7=10s "
                  "--clock-drift 0=-50,1=50,2=-20,3=20,4=1,5=-1,6=50,7=-50 --wall-clock-error 1=1s,2=-1s,3=-4s,4=3s,5=2s,6=-100ms,7=9s")

JOBS = {
    "offsets": f"--ranks 4 --hosts 4 {FAR}",
    "offsets and drifts": f"--ranks 4 --hosts 4 {FAR_AND_DRIFTING}",
    "a slow rank": f"--ranks 4 --hosts 4 --slow-rank 2=1.3 {FAR_AND_DRIFTING}",
    "stalls that alternate between ranks": f"--ranks 4 --hosts 4 --stall 0:1=3ms,1:2=3ms,2:3=3ms,3:4=3ms {FAR_AND_DRIFTING}",
    "a fast network": f"--ranks 4 --hosts 4 --layer-bytes 65536 --link-latency 5us {FAR_AND_DRIFTING}",
    "broadcasts": f"--ranks 4 --hosts 4 --broadcast {FAR_AND_DRIFTING}",
    "messages": f"--ranks 4 --hosts 4 --steps 3 --pipeline 2 --micro-batches 3 {FAR_AND_DRIFTING}",
    "two groups": f"--ranks 8 --hosts 8 --steps 2 --tensor-parallel 2 {EIGHT_DRIFTING}",
    "true wall clocks": "--ranks 4 --hosts 4 --clock-offset 0=7s,1=-10s,2=3s,3=10s",
    "hosts of two ranks": "--ranks 4 --hosts 2 --clock-offset 2=-9s,3=-9s --clock-drift 2=50,3=50 "
                          "--wall-clock-error 2=5ms,3=5ms",
}


def run(command):
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, f"{command} ended with {finished.returncode}: {finished.stderr}"
    return finished.stdout


@pytest.fixture
def analyse(tauprof, tauprof_generate, tmp_path):
    def of(options):
        path = tmp_path / "truth.jsonl"
        run([tauprof_generate, *options.split(), "--out", str(tmp_path / "logs"), "--truth", str(path)])
        return truth.load(path), json.loads(run([tauprof, "analyze", str(tmp_path / "logs"), "--json", "-"]))

    return of


def reported_ends(segment, name=""):
    """[(time on the clock, reported offset)] at both ends of a segment."""
    offset, drift = segment[f"{name}offset_ns"], segment[f"{name}drift_ppm"]
    length = segment["end_ns"] - segment["start_ns"]
    return [(segment["start_ns"], offset), (segment["end_ns"], offset + drift * 1e-6 * length)]


def errors(job, row, name=""):
    """(error of the reported offset, bound) at each end of each segment."""
    rank, reference = job.ranks[row["rank"]], job.logged_ranks()[0]
    for segment in row["segments"]:
        for local, offset in reported_ends(segment, name):
            time = clocks.true_time(rank, local, START_NS)
            yield abs(offset - clocks.offset(rank, reference, time, START_NS)), segment["bound_ns"]


@pytest.mark.parametrize("options", JOBS.values(), ids=JOBS)
def test_the_true_offset_is_within_the_bound_and_the_bound_is_the_oracles(analyse, options):
    job, report = analyse(options)
    for row in report["clock"]:
        assert all(error <= bound + 1 for error, bound in errors(job, row)), row
        rank = job.ranks[row["rank"]]
        [segment] = row["segments"]
        if row["basis"] == "shared":
            assert row["bound_ns"] == 0
            continue
        first, last = (clocks.true_time(rank, segment[name], START_NS) for name in ("start_ns", "end_ns"))
        expected = clocks.bound(clocks.limits(job, first, last)[row["rank"]], first, last)
        assert abs(row["bound_ns"] - expected) < 1000, f"rank {row['rank']}: expected {expected}"


@pytest.mark.parametrize("name", ["offsets and drifts", "a slow rank", "a fast network", "two groups"])
def test_used_offsets_are_as_good_as_ends_are_simultaneous(analyse, name):
    job, report = analyse(JOBS[name])
    assert {row["basis"] for row in report["clock"]} == {"shared", "collectives"}
    for row in report["clock"]:
        assert all(error < 50_000 for error, _ in errors(job, row, "used_")), row
    assert report["quality"]["collectives"]["clocks_agree"]
    assert [found["rank"] for found in report["stragglers"]["found"]] == ([2] if name == "a slow rank" else [])


DEVICES_NS = {0: 0, 1: 30_000, 2: -45_000, 3: 80_000}
DEVICES_OFF = "--device-offset " + ",".join(f"{rank}={ns}ns" for rank, ns in DEVICES_NS.items())
DEVICE_JOBS = {
    "far within a transfer": "--ranks 4",
    "longer than a transfer": "--ranks 4 --layer-bytes 65536 --link-latency 5us",
    "a broadcast": "--ranks 4 --broadcast --stall 0:1=3ms,1:2=3ms",
    "a pipeline": "--ranks 4 --pipeline 2 --micro-batches 3",
    "hosts of two ranks": "--ranks 4 --hosts 2 --clock-offset 2=-9s,3=-9s",
}


@pytest.mark.parametrize("options", DEVICE_JOBS.values(), ids=DEVICE_JOBS)
def test_device_offsets_are_within_the_bound_and_the_bound_is_the_oracles(analyse, options):
    job, report = analyse(f"{options} {DEVICES_OFF}")
    first_of = {}
    for row in report["clock"]:
        rank = row["rank"]
        first = first_of.setdefault(job.ranks[rank].host, rank)
        if rank == first:
            assert row["device_bound_ns"] is None and row["used_device_offset_ns"] == 0
            continue
        expected = clocks.device_bound(job, first, rank)
        assert abs(row["device_bound_ns"] - expected) <= 2, f"rank {rank}: expected {expected}"
        off = DEVICES_NS[rank] - DEVICES_NS[first]
        assert abs(row["device_offset_ns"] - off) <= row["device_bound_ns"] + 1
        assert abs(row["used_device_offset_ns"] - row["device_offset_ns"]) <= row["device_bound_ns"] + 1
    assert report["quality"]["collectives"]["contradicting"] == 0
    if "--stall" not in options:  # nobody is late: apparent lateness is within what the devices' clocks may be off
        assert all(found["within_clock_bound"] for found in report["stragglers"]["found"])


SCATTER_NS = 5_000  # ends of a collective are no closer together


def assert_waits_are_true(job, report):
    """Waits and transfers are those of the truth, to within the scatter of ends for each member's part."""
    expected, got = collectives.communication(job)["total"], report["communication"]["total"]
    assert abs(got["wait_ns"] - expected["wait_ns"]) < SCATTER_NS * expected["count"]
    assert expected["wait_ns"] > 4 * SCATTER_NS * expected["count"], "or the job shows nothing"


@pytest.mark.parametrize("ranks", ["--ranks 4", "--ranks 4 --hosts 2 --clock-offset 2=-9s,3=-9s"])
def test_devices_are_placed_by_simultaneous_ends_though_nothing_contradicts_them(analyse, ranks):
    off = {0: 0, 1: 12_000, 2: -25_000, 3: 40_000}
    devices = ",".join(f"{rank}={ns}ns" for rank, ns in off.items())
    job, report = analyse(f"{ranks} --slow-rank 2=1.1 --stall 1:3=2ms --device-offset {devices}")
    assert report["quality"]["collectives"]["contradicting"] == 0
    for row in report["clock"]:
        first = 2 if "--hosts" in ranks and row["rank"] > 2 else 0
        if row["rank"] != first and row["device_bound_ns"] is not None:
            assert abs(row["used_device_offset_ns"] - (off[row["rank"]] - off[first])) < SCATTER_NS, row
            assert row["device_bound_ns"] > 100_000, "which is why nothing contradicts"
    assert_waits_are_true(job, report)
    assert report["stragglers"]["found"][0]["rank"] == 2


@pytest.mark.parametrize("wrong", ["1=100us,2=-200us,3=300us", "1=-1ms,2=1ms,3=400us"])
def test_small_errors_of_wall_clocks_are_corrected_by_simultaneous_ends(analyse, wrong):
    job, report = analyse("--ranks 4 --hosts 4 --layer-bytes 134217728 --stall 1:3=9ms,2:1=9ms --clock-offset 1=4s "
                          f"--wall-clock-error {wrong}")
    assert [row["basis"] for row in report["clock"]] == ["shared", *["collectives"] * 3]
    for row in report["clock"]:
        assert all(error < SCATTER_NS for error, _ in errors(job, row, "used_")), row
        assert row["rank"] == 0 or row["bound_ns"] > 1_000_000, "which is why nothing contradicts"
    assert_waits_are_true(job, report)


def test_a_rank_later_than_its_devices_clock_can_explain_is_not_marked(analyse):
    _, report = analyse(f"--ranks 4 --stall 3:2=5ms {DEVICES_OFF}")
    [found] = report["stragglers"]["found"]
    assert found["rank"] == 3 and not found["within_clock_bound"]


def test_devices_without_contradictions_are_left_alone(analyse):
    _, report = analyse("--ranks 4")
    assert {row["used_device_offset_ns"] for row in report["clock"]} == {0}


def test_one_wrong_record_moves_no_device(analyse):
    _, report = analyse("--ranks 4 --wrong-time 2:2=50ms")
    assert {row["used_device_offset_ns"] for row in report["clock"]} == {0}


def test_wall_clocks_without_contradictions_are_used_unchanged(analyse):
    job, report = analyse(JOBS["true wall clocks"])
    assert [row["basis"] for row in report["clock"]] == ["shared", *["wall_clock"] * 3]
    for row in report["clock"]:
        assert all(error <= 1 for error, _ in errors(job, row, "used_"))


def test_ranks_of_one_host_share_its_clock(analyse):
    _, report = analyse("--ranks 4")
    for row in report["clock"]:
        assert (row["basis"], row["offset_ns"], row["bound_ns"], row["used_offset_ns"]) == ("shared", 0, 0, 0)


def test_segments_are_no_longer_than_a_minute(analyse):
    job, report = analyse(f"--ranks 4 --hosts 4 --steps 75 --gemm 60ms --layers 8 {FAR_AND_DRIFTING}")
    for row in report["clock"][1:]:
        assert len(row["segments"]) > 1
        assert all(segment["end_ns"] - segment["start_ns"] < 60.01e9 for segment in row["segments"])
        assert all(error <= bound + 1 for error, bound in errors(job, row))


BEFORE, OUTSIDE = "device work long before its launch", "times outside of the recording"


@pytest.mark.parametrize("wrong,contradicting,impossible", [
    ("1:2=5ms", 1, {}), ("2:1=-40ms", 0, {BEFORE: 1}), ("3:3=7s,1:4=-3s,2:0=90ms", 1, {OUTSIDE: 1, BEFORE: 1})])
def test_records_that_contradict_the_others_are_dropped(analyse, wrong, contradicting, impossible):
    job, report = analyse(f"--ranks 4 --hosts 4 --steps 40 --wrong-time {wrong} {FAR_AND_DRIFTING}")
    assert report["quality"]["clocks"]["contradicting"] == contradicting
    assert report["quality"]["dropped_by_reason"] == impossible
    for row in report["clock"][1:]:
        assert all(error <= bound + 1 for error, bound in errors(job, row)), row


def test_a_clock_without_collectives_with_the_first_has_no_bound(analyse):
    _, report = analyse("--ranks 4 --hosts 4 --pipeline 2 --missing 2,1")
    assert [row["bound_ns"] for row in report["clock"]] == [0, None]
