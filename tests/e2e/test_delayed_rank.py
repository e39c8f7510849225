"""The textbook's case: one of eight ranks is 50 ms late in each step, and a step of 15 ms takes 65."""

import json
import subprocess

import pytest

JOB = "--ranks 8 --steps 40 --layers 10 --work-permille 1045"
LATE = 3
STALL = "52400us"  # of the host; its device still has work for 2.4 ms of it


@pytest.fixture
def report_of(tauprof, tauprof_generate, tmp_path):
    def made(options):
        logs = tmp_path / f"logs{len(list(tmp_path.iterdir()))}"
        subprocess.run([tauprof_generate, *options.split(), "--out", logs], check=True, capture_output=True)
        printed = subprocess.run([tauprof, "analyze", logs, "--json", "-"], check=True, capture_output=True)
        return json.loads(printed.stdout)

    return made


def test_a_delay_of_50_ms_costs_77_per_cent_and_is_blamed_on_its_rank(report_of):
    usual = report_of(JOB)["steps"]["duration_ns"]["mean"]
    report = report_of(f"{JOB} --stall {LATE}:*={STALL}")
    step = report["steps"]["duration_ns"]["mean"]
    assert usual == pytest.approx(15e6, rel=0.02)
    assert step == pytest.approx(65e6, rel=0.02)
    [straggler] = report["stragglers"]["found"]
    assert (straggler["rank"], straggler["cause"]) == (LATE, "host_stall")
    blamed = sum(row["blamed_ns"] for row in report["stragglers"]["ranks"])
    assert straggler["blamed_ns"] >= 0.98 * blamed  # the rest is jitter
    assert straggler["blamed_ns_by_cause"]["host_stall"] >= 0.99 * straggler["blamed_ns"]
    first = report["findings"][0]
    assert (first["id"], first["ranks"]) == ("straggler", [LATE])
    assert first["saves_ns_per_step"] / step == pytest.approx(0.77, abs=0.02)
    assert step - first["saves_ns_per_step"] == pytest.approx(usual, rel=0.03)
