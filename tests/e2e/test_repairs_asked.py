"""A finding's repair is a question: `tauprof whatif` gives the same saving for it, to the nanosecond."""

import json
import shlex
import re
import subprocess

import pytest

from recorded_traces import RECORDED

TRACES = ("torchrec_sst5qb", "torchrec_sst2a", "param_dlrm_8rank", "hta_nccl_data_1of2")
LOGS = sorted(folder.name for folder in (RECORDED / "h200_pairs").iterdir() if folder.is_dir())

JOB = "--ranks 4 --steps 12 --layers 6"
JOBS = {
    "slow device": f"{JOB} --slow-rank 2=1.4",
    "both of two stages are late": "--ranks 2 --pipeline 2 --steps 8 --stall 0:*=4ms --slow-rank 1=1.5",
    "stalls of some steps": f"{JOB} --stall 2:3=20ms,2:4=20ms,1:8=30ms",
    "stalls everywhere": f"{JOB} --stall 0:*=3ms,1:*=3ms,2:*=3ms,3:*=3ms",
    "slow link": f"{JOB} --tensor-parallel 2 --slow-link 2=4",
    "busy hosts": f"{JOB} --gemm 40us --elementwise 10us --optimizer 20us",
    "allocations": f"{JOB} --allocation 0:7=200ms,1:7=200ms,2:7=200ms,3:7=200ms",
    "a slow step of all": f"{JOB} --slow-rank 0=1.4 --stall 1:5=40ms",
    "pipeline": "--ranks 4 --pipeline 4 --steps 8 --micro-batches 4 --slow-rank 2=1.4",
    "a log is missing": f"{JOB} --missing 3 --stall 1:*=10ms",
}


def report_of(tauprof, logs, *choice):
    done = subprocess.run([tauprof, "analyze", logs, *choice, "--json", "-"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def check(tauprof, logs, *choice):
    """Returns the questions."""
    findings = [one for one in report_of(tauprof, logs, *choice)["findings"] if one["whatif"]]
    for finding in findings:
        words = shlex.split(finding["whatif"])
        done = subprocess.run([tauprof, "whatif", logs, *words, "--json", "-"], capture_output=True, text=True)
        assert done.returncode == 0, (finding, done.stderr)
        [answer] = json.loads(done.stdout)["scenarios"]
        assert answer["saves_ns_per_step"] == finding["saves_ns_per_step"], finding
        assert answer["reason"] == finding["saves_reason"], finding
    return [finding["whatif"] for finding in findings]


@pytest.mark.parametrize("name", TRACES)
def test_of_traces_of_real_gpus(tauprof, tmp_path, name):
    subprocess.run([tauprof, "import", "kineto", RECORDED / name, "-o", tmp_path / "logs"], check=True, capture_output=True)
    assert check(tauprof, tmp_path / "logs")


@pytest.mark.parametrize("name", LOGS)
def test_of_programs_recorded_on_a_gpu(tauprof, name):
    check(tauprof, RECORDED / "h200_pairs" / name)


@pytest.mark.parametrize("options", JOBS.values(), ids=JOBS)
def test_of_generated_jobs(tauprof, tauprof_generate, tmp_path, options):
    subprocess.run([tauprof_generate, *options.split(), "--out", tmp_path / "logs"], check=True, capture_output=True)
    assert check(tauprof, tmp_path / "logs")


def test_a_repair_of_some_steps_says_which(tauprof, tauprof_generate, tmp_path):
    subprocess.run([tauprof_generate, *JOBS["stalls of some steps"].split(), "--out", tmp_path / "logs"], check=True,
                   capture_output=True)
    [both] = [one for one in check(tauprof, tmp_path / "logs") if one.startswith("--fix rank:2")]
    assert both == "--fix rank:2,windows:3:4"


def test_the_steps_that_were_chosen_are_asked_about(tauprof, tauprof_generate, tmp_path):
    subprocess.run([tauprof_generate, *JOBS["slow device"].split(), "--out", tmp_path / "logs"], check=True, capture_output=True)
    assert "--fix rank:2 --steps 3:7" in check(tauprof, tmp_path / "logs", "--steps", "3:7")
    text = subprocess.run([tauprof, "analyze", "logs"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "tauprof whatif logs --fix rank:2" in " ".join(text.split())


def test_a_repair_that_makes_steps_longer_says_whose_work_is_no_example(tauprof, tmp_path):
    subprocess.run([tauprof, "import", "kineto", RECORDED / "param_dlrm_8rank", "-o", tmp_path / "logs"], check=True, capture_output=True)
    done = subprocess.run([tauprof, "whatif", tmp_path / "logs", "--fix", "rank:2", "--json", "-"], check=True, capture_output=True)
    [scenario] = json.loads(done.stdout)["scenarios"]
    assert scenario["saves_ns_per_step"] is None
    assert scenario["reason"].startswith("steps would be longer by ")
    assert "mostly because its example, rank " in scenario["reason"] and " takes " in scenario["reason"]


def test_a_repair_whose_examples_wait_where_no_record_shows_it_names_the_place(tauprof, tmp_path):
    """Peers' hosts wait in their forward pass, which no record shows, for up to 96 ms, where rank 2's takes 23."""
    subprocess.run([tauprof, "import", "kineto", RECORDED / "torchrec_sst5qb", "-o", tmp_path / "logs"], check=True, capture_output=True)
    [finding] = [one for one in report_of(tauprof, tmp_path / "logs")["findings"] if one["id"] == "straggler"]
    assert finding["ranks"] == [2] and finding["saves_ns_per_step"] is None
    assert "takes 96.3 ms on the host before cudaLaunchKernel where rank 2" in finding["saves_reason"], finding["saves_reason"]


def test_the_verdict_says_no_more_of_a_saving_than_its_repair(tauprof, tmp_path):
    """Where bounds are far apart, both have them instead of one number."""
    subprocess.run([tauprof, "import", "kineto", RECORDED / "torchrec_sst5qb", "-o", tmp_path / "logs"], check=True, capture_output=True)
    text = subprocess.run([tauprof, "analyze", "logs"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    bounds = re.search(r"^ 1  .* ([\d.]+ ms to [\d.]+ ms)$", text, re.MULTILINE).group(1)
    assert f"Without that the step takes {bounds} instead of" in " ".join(text.split())
