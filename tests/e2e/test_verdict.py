"""The verdict of generated jobs: a pipeline's bubble, and waiting that a straggler explains."""

import json
import subprocess

import pytest


@pytest.fixture(scope="module")
def report_of(tauprof, tauprof_generate, tmp_path_factory):
    def made(options):
        logs = tmp_path_factory.mktemp("job") / "logs"
        subprocess.run([tauprof_generate, *options.split(), "--out", logs], check=True, capture_output=True)
        printed = subprocess.run([tauprof, "analyze", logs, "--json", "-"], check=True, capture_output=True)
        return json.loads(printed.stdout)

    return made


def ids(report):
    return [finding["id"] for finding in report["findings"]]


def test_a_bubble_is_the_verdict_with_the_reports_own_number(report_of):
    report = report_of("--ranks 4 --pipeline 4 --steps 6 --micro-batches 4")
    [pipeline] = report["messages"]["pipelines"]
    assert report["verdict"]["class"] == "pipeline"
    assert report["verdict"]["title"].startswith(f"The pipeline's bubble is {100 * pipeline['bubble']:.0f} % ")
    assert f"rank {pipeline['critical_rank']}," in report["verdict"]["because"][0]
    assert "comm-wait" in ids(report)  # nobody is to blame for it


def test_a_late_rank_of_a_pipeline_goes_before_its_bubble(report_of):
    stalls = " ".join(f"--stall 2:{step}=400ms" for step in range(6))
    report = report_of(f"--ranks 4 --pipeline 4 --steps 6 --micro-batches 4 {stalls}")
    assert report["verdict"]["class"] == "straggler" and "Rank 2" in report["verdict"]["title"]


def test_a_job_without_a_pipeline_has_no_bubble(report_of):
    assert report_of("--ranks 4 --steps 6")["verdict"]["class"] != "pipeline"


def test_waiting_that_a_straggler_explains_is_said_once(report_of):
    stalls = " ".join(f"--stall 2:{step}=30ms" for step in range(8))
    report = report_of(f"--ranks 4 --steps 8 {stalls}")
    rows = report["ledger"]["rows"]
    assert rows["exposed_comm_wait"] > 0.05 * report["ledger"]["step_ns"]
    assert "straggler" in ids(report) and "comm-wait" not in ids(report)
