"""Telemetry of recorded jobs: what the sensors of simulated devices show, per rank."""

import json

import pytest
from recorded_run import tauprof, training


def run_job(recorder, options=""):
    run = recorder.run(training("--steps 20", 2), options=options)
    assert run.status == 0, run.errors
    return run


def device_checks(run):
    checks = json.loads(tauprof("health", str(run.logs), "--json", "-").stdout)["checks"]
    return next(check for check in checks if check["id"] == "gpu-clocks")


def test_sensors_are_shown_for_each_rank(recorder):
    run = run_job(recorder)
    ranks = run.report()["telemetry"]["ranks"]
    assert [of["rank"] for of in ranks] == [0, 1]
    for of in ranks:
        assert of["steps"] > 0 and of["clock_of_peers"] == pytest.approx(1, abs=0.05)
        assert of["sm_clock_mhz"]["min"] <= of["sm_clock_mhz"]["mean"] <= of["sm_clock_mhz"]["max"]
        assert 50 < of["power_w"]["mean"] < 1000 and 20 < of["temperature_c"]["mean"] < 100
        assert "sw_thermal_slowdown" not in of["throttled_steps"]
    text = tauprof("analyze", str(run.logs), "--show", "telemetry").stdout
    assert text.startswith("TELEMETRY ")
    assert device_checks(run)["outcome"] == "pass"


def test_a_throttled_device_is_seen(recorder):
    run = run_job(recorder, "throttle=1:0:1000:1.5")
    slow = run.report()["telemetry"]["ranks"][1]
    assert slow["clock_of_peers"] < 0.8
    assert slow["throttled_steps"]["sw_thermal_slowdown"] > 0
    check = device_checks(run)
    assert check["outcome"] == "fail" and "rank 1" in check["found"]
    assert "sw_thermal_slowdown in " in tauprof("analyze", str(run.logs), "--show", "telemetry").stdout


def test_without_telemetry_nothing_is_said_of_devices(recorder):
    run = recorder.run(training("--steps 6", 2), variables={"TAUPROF_CAPTURE": "api,device,nccl,nvtx"})
    assert run.report()["telemetry"] is None
    assert device_checks(run)["outcome"] == "unknown"
