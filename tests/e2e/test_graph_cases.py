"""The answers of whatif for jobs with a known truth in which the graph once lacked an edge, or had one too many.

The jobs lie beside the project (`../shared/cases`), a folder a kind; without them there is nothing to test.
"""

import json
import os
import pathlib
import subprocess

import pytest

CASES = pathlib.Path(__file__).resolve().parents[3] / "shared" / "cases"
NEAR = 0.03  # of the step

# The question of each case, and what the job without the defect takes less.
ANSWERS = [
    ("wait-on-another-thread", "--fix rank:1", 1.732e6),
    ("older-event-sync", "--fix rank:1", 5.740e6),
    ("ended-last-is-not-awaited", "--speed kernel:*gemm*=2x", 1.336e6),
    ("wait-counts-for-two-streams", "--bucket-mb 16", 0.140e6),
    ("checkpoint-at-the-end-negative-step", "--without copy:d2h", 0.675e6),
    ("checkpoint-at-the-end-negative-step", "--speed copy:d2h=2x", 0.338e6),
    ("rooted-reduce", "--fix rank:1", 2.140e6),
    ("hot-expert", "--fix rank:3", 4.313e6),
    ("steps-that-a-peer-did-not-record", "--fix rank:0", 0.716e6),
]


def answer(folder, case, question):
    tauprof = os.environ["TAUPROF_BIN"]
    logs = folder / "logs"
    subprocess.run([tauprof, "import", "kineto", CASES / case / "t", "-o", logs], check=True, capture_output=True)
    done = subprocess.run([tauprof, "whatif", logs, *question.split(), "--json", "-"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    [scenario] = told["scenarios"]
    return told["step_ns"], scenario


@pytest.mark.parametrize("case, question, truth", ANSWERS)
def test_the_saving_is_that_of_the_job_without_the_defect(tmp_path, case, question, truth):
    if not (CASES / case).exists():
        pytest.skip(f"{CASES / case} is not there")
    step, scenario = answer(tmp_path, case, question)
    assert scenario["saves_ns_per_step"] == pytest.approx(truth, abs=NEAR * step), scenario


def test_a_rank_whose_peer_has_no_log_has_no_price(tmp_path):
    if not (CASES / "missing-peer").exists():
        pytest.skip(f"{CASES / 'missing-peer'} is not there")
    _, scenario = answer(tmp_path, "missing-peer", "--fix rank:2")
    assert scenario["saves_ns_per_step"] is None
    assert scenario["reason"] == ("how long all_reduce of rank 2 waits and how long it moves data is not known"), scenario


def test_neither_has_a_finding_about_what_its_collectives_take(tmp_path):
    if not (CASES / "missing-peer").exists():
        pytest.skip(f"{CASES / 'missing-peer'} is not there")
    _, scenario = answer(tmp_path, "missing-peer", "--without communication")
    found = subprocess.run([os.environ["TAUPROF_BIN"], "analyze", tmp_path / "logs", "--json", "-"], capture_output=True, check=True)
    [finding] = [one for one in json.loads(found.stdout)["findings"] if one["id"] == "exposed-comm-unsplit"]
    assert finding["saves_ns_per_step"] is None and finding["saves_reason"] == scenario["reason"]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_repairs_of_both_halves_give_the_job_without_either_defect(tmp_path, order):
    """The second half is to be as the first, in which rank 0 is to be as its peers."""
    if not (CASES / "combined-loses-a-part").exists():
        pytest.skip(f"{CASES / 'combined-loses-a-part'} is not there")
    repairs = ["--fix rank:1,windows:5:10", "--fix rank:0,windows:0:5", "--fix steps:6:11"]
    step, scenario = answer(tmp_path, "combined-loses-a-part", " ".join(repairs[one] for one in order))
    assert scenario["saves_ns_per_step"] == pytest.approx(3.559e6, abs=0.003 * step), scenario
