"""tauprof run --null-gpu: a program on GPUs whose work takes no time."""

import json
import re

import pytest

from recorded_run import tauprof, training
from test_tauprof_run import run

SUMMARY = re.compile(r"tauprof: null GPU: ([\d.]+) steps/s, ([\d.]+) samples/s, if all device work took no time: "
                     "input pipeline and host alone")


def test_with_a_null_gpu_only_the_loader_takes_time(tmp_path):
    done = run("--null-gpu", "--batch", "6", "-o", tmp_path / "logs", "--",
               *training("--steps 40 --loader-ms 25 --loss-every 1"))
    assert done.returncode == 0
    steps, samples = map(float, SUMMARY.search(done.stderr).groups())
    assert samples == pytest.approx(6 * steps, rel=1e-3)
    report = json.loads(tauprof("analyze", str(tmp_path / "logs"), "--json", "-").stdout)
    durations = [step["duration_ns"] for step in report["steps"]["list"]]
    steady = durations[len(durations) // 4:-1]
    assert steps == pytest.approx(1e9 * len(steady) / sum(steady), rel=1e-3)
    assert 1 / steps >= 0.025
    rows = report["ledger"]["rows"]
    assert sum(rows[row] for row in rows if not row.startswith("idle_")) == 0
    assert max(rows, key=rows.get) == "idle_data_wait"
    assert "VERDICT " not in done.stdout


def test_the_logs_stay_apart_from_those_of_gpus(tmp_path):
    assert run("--null-gpu", "--", *training("--steps 3"), cwd=tmp_path).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["tauprof-null-gpu-logs"]


def test_the_report_is_printed_if_requested(tmp_path):
    done = run("--null-gpu", "--report", "-o", tmp_path / "logs", "--", *training("--steps 3"))
    assert "VERDICT " in done.stdout
    assert "null GPU: " in done.stderr
    assert "nan" not in done.stdout


def test_a_program_without_calls_has_no_rate(tmp_path):
    done = run("--null-gpu", "-o", tmp_path / "logs", "true")
    assert done.returncode == 3
    assert done.stderr == "tauprof: no log was written: no CUDA call reached the recorder\n"
    assert run("--null-gpu", "-o", tmp_path / "logs", "sh", "-c", "exit 4").returncode == 4


def test_the_users_options_stay_except_for_the_times():
    done = run("--null-gpu", "env", variables={"SIMGPU_OPTIONS": "devices=3,time_scale=2"})
    [line] = [line for line in done.stdout.splitlines() if line.startswith("SIMGPU_OPTIONS=")]
    assert line.startswith("SIMGPU_OPTIONS=devices=3,time_scale=2,time_scale=0,")
    preload = next(line for line in done.stdout.splitlines() if line.startswith("LD_PRELOAD=")).split("=", 1)[1]
    assert [name.rsplit("/", 1)[-1] for name in preload.split(":")[:2]] == ["libtauprof.so", "libsimgpu.so.1"]


def test_a_missing_simulator_is_reported():
    done = run("--null-gpu", "true", variables={"TAUPROF_WITH_SIMGPU": "/no/such/script"})
    assert (done.returncode, done.stderr) == (2, "tauprof: /no/such/script: TAUPROF_WITH_SIMGPU names no file\n")
