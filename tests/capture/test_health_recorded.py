"""`tauprof health` on recordings of the training job: sound, leaking, and with a late rank."""

import json
import re

import pytest

from recorded_run import Recorder, tauprof, training

CHECKS = ["progress", "utilization", "communication", "links", "memory", "input", "stragglers", "clocks", "gpu-clocks",
          "recording"]
JOBS = {
    "sound": "--layers 2 --steps 14",
    "leaking": "--layers 2 --steps 14 --memory-growth-mb 200",
    "late": "--layers 2 --steps 14 --host-stall 1:30",
    "starving": "--layers 2 --steps 14 --loader-on-main-thread --loader-ms 40",
    "slow links": "--layers 2 --steps 14",
}
DEVICES = {"slow links": "slow_link=1:3"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    made = {}

    def of(name):
        if name not in made:
            made[name] = Recorder(tmp_path_factory.mktemp(name)).run(training(JOBS[name], 2),
                                                                       options=DEVICES.get(name, ""))
        return made[name]

    return of


def health_of(run, *options):
    status, checks = run.health(*options)
    assert list(checks) == CHECKS
    return status, checks


def share_found(check):
    """The first percentage that it names."""
    return float(re.search(r"([\d.]+) %", check["found"]).group(1))


def failures(checks):
    return {name for name, check in checks.items() if check["outcome"] == "fail"}


@pytest.mark.parametrize("job,failing", [("leaking", "memory"), ("late", "stragglers"), ("starving", "input"),
                                         ("slow links", "links")])
def test_a_defect_fails_its_check_and_no_check_of_the_sound_job(runs, job, failing):
    status, checks = health_of(runs(job))
    assert status == 5 and failing in failures(checks), checks
    _, sound = health_of(runs("sound"))
    if failing == "stragglers" and sound[failing]["outcome"] == "fail":  # a busy machine delays ranks, too
        assert share_found(sound[failing]) < share_found(checks[failing])
    else:
        assert sound[failing]["outcome"] == "pass", sound


def test_the_status_says_whether_something_failed(runs):
    status, checks = health_of(runs("sound"))
    assert status == (5 if failures(checks) else 0)
    assert {check["outcome"] for check in checks.values()} <= {"pass", "fail", "unknown"}


def test_links_are_held_against_what_the_user_says(runs):
    _, checks = health_of(runs("sound"), "--link-gbps", "100000")
    assert checks["links"]["outcome"] == "fail" and checks["links"]["found"].endswith(" of 12500 GB/s"), checks


def test_the_leak_is_said_with_its_number_and_limit(runs):
    done = tauprof("health", str(runs("leaking").logs))
    [line] = [line for line in done.stdout.splitlines() if " memory " in line]
    assert done.returncode == 5 and line.startswith("  fail ") and "grows by 200 MB a step on rank 0" in line
    assert [line.split()[1] for line in done.stdout.splitlines() if line[2] != " "] == CHECKS


def test_the_numbers_are_the_reports_own(runs):
    report = runs("starving").report()
    _, checks = health_of(runs("starving"))
    share = report["ledger"]["rows"]["idle_data_wait"] / report["ledger"]["step_ns"]
    assert checks["input"]["found"].startswith(f"{100 * share:.1f} % ")


def test_without_device_times_nothing_is_claimed_about_devices(recorder):
    run = recorder.run(training(JOBS["sound"], 2), variables={"TAUPROF_DEVICE_TIMING": "off"})
    status, checks = health_of(run)
    unknown = {name for name, check in checks.items() if check["outcome"] == "unknown"}
    assert {"utilization", "communication", "input", "stragglers"} <= unknown and status == 0, checks


def test_nothing_usable_is_status_3(tmp_path):
    done = tauprof("health", str(tmp_path))
    assert done.returncode == 3 and done.stdout == "" and len(done.stderr.splitlines()) == 1
