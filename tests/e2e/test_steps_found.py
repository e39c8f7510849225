"""Simulated jobs without step markers: every step is found where the program had it, on every rank."""

import json

import pytest

from oracle import truth, windows
from test_generated import run

UNMARKED = "--marker none"
JOBS = {
    "one rank": "--ranks 1 --steps 8",
    "eight ranks": "--ranks 8 --steps 6",
    "sixty-four ranks": "--ranks 64 --steps 5 --layers 2",
    "accumulation": "--ranks 2 --steps 8 --micro-batches 4",
    "evaluations": "--ranks 4 --steps 13 --eval-every 4",
    "long evaluations": "--ranks 1 --steps 9 --eval-every 4 --eval-batches 30",
    "evaluations and accumulation": "--ranks 2 --steps 12 --eval-every 5 --micro-batches 3",
    "two optimizers": "--ranks 2 --steps 8 --second-network",
    "two optimizers and evaluations": "--ranks 2 --steps 12 --second-network --eval-every 5",
    "varying steps": "--ranks 4 --steps 12 --varying-steps",
    "varying steps and evaluations": "--ranks 2 --steps 14 --varying-steps --eval-every 6",
    "read back now and then": "--ranks 2 --steps 11 --step-end none --readback-every 3",
    "the host runs ahead": "--ranks 4 --steps 8 --step-end none",
    "work outside": "--ranks 2 --steps 8 --outside-work",
    "one thread": "--ranks 2 --steps 8 --no-autograd",
    "one thread, evaluations": "--ranks 2 --steps 13 --no-autograd --eval-every 4",
    "sharded": "--ranks 8 --steps 6 --sharded --tensor-parallel 2",
    "pipeline": "--ranks 4 --steps 8 --pipeline 2 --micro-batches 4",
    "slow first steps": "--ranks 4 --steps 12 --stall 0:0=60ms,0:1=30ms",
    "data waits": "--ranks 4 --steps 8 --data-wait 1:*=8ms --step-end none",
    "everything":
        "--ranks 16 --steps 9 --layers 3 --all-to-all --broadcast --eval-every 3 --micro-batches 2 --readback-every 4",
}


def analysed(tauprof, tauprof_generate, options, folder):
    """The report, and the job with the program's own steps from the truth."""
    run([tauprof_generate, *options.split(), *UNMARKED.split(), "--out", str(folder / "logs"),
         "--truth", str(folder / "truth.jsonl")])
    job = truth.load(folder / "truth.jsonl")
    for rank in job.ranks.values():
        for call in rank.process.calls:
            call.step = call.program_step
    return json.loads(run([tauprof, "analyze", str(folder / "logs"), "--json", "-"])), job


@pytest.mark.parametrize("job", JOBS)
def test_steps_are_where_the_program_had_them(job, tauprof, tauprof_generate, tmp_path):
    report, simulated = analysed(tauprof, tauprof_generate, JOBS[job], tmp_path)
    steps = report["steps"]
    expected = windows.durations(simulated)
    assert steps["detected_by"] not in ("time", "marker")
    assert 0.5 <= steps["confidence"] < 1
    assert steps["warmup"] + steps["count"] == len(expected), steps["reason"]
    found = [(row["step"], row["duration_ns"]) for row in steps["list"]]
    own = expected[steps["warmup"]:]
    # Work launched before the first step runs into it, and work of the last step runs out of it.
    assert found[1:-1] == [(step, pytest.approx(float(ns), abs=1)) for step, ns in own[1:-1]]
    assert not [finding for finding in report["findings"] if finding["id"].startswith("steps-")]


def test_graphs_that_do_not_say_what_they_hold_are_no_updates(tauprof, tauprof_generate, tmp_path):
    report, _ = analysed(tauprof, tauprof_generate, "--ranks 2 --steps 8 --graph", tmp_path)
    assert (report["steps"]["detected_by"], report["steps"]["unit"]) == ("time", "slice")
    assert [finding["advice"] for finding in report["findings"] if finding["id"] == "steps-unsure"] == [
        "Mark the steps (NVTX ranges \"step N\", or TAUPROF_STEP_MARKER)."]


def test_slow_first_steps_are_warm_up(tauprof, tauprof_generate, tmp_path):
    report, _ = analysed(tauprof, tauprof_generate, JOBS["slow first steps"], tmp_path)
    assert report["steps"]["warmup"] == 2


def test_the_reason_names_the_evidence(tauprof, tauprof_generate, tmp_path):
    report, _ = analysed(tauprof, tauprof_generate, "--ranks 2 --steps 8 --micro-batches 4", tmp_path)
    assert report["steps"]["detected_by"] == "optimizer"
    assert "4 backward passes" in report["steps"]["reason"]


def test_alternating_updates_of_two_optimizers_make_one_step(tauprof, tauprof_generate, tmp_path):
    report, _ = analysed(tauprof, tauprof_generate, JOBS["two optimizers"], tmp_path)
    assert "2 updates take turns" in report["steps"]["reason"]
