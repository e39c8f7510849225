"""A simulated CUPTI that slows the host as a real one does, and the report of the job without it: host times come from a
second run with hooks alone, device times from the first. The light run's own log is the truth about its steps."""

import re
import statistics

import pytest

from recorded_run import tauprof, training

DISTURBS = "cupti_disturbs=1"
STEPS = 60
WARM_UP = 10
LIGHT_STEPS = 112
TOOK = re.compile(r"^step (\d+) .* took ([\d.]+) ms$", re.MULTILINE)


def own_step(run):
    """The mean step by the program's own clock, in ns."""
    took = {int(step): float(ms) for step, ms in TOOK.findall(run.output)}
    return 1e6 * statistics.mean(took[step] for step in range(WARM_UP, STEPS - 1))


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory):
    """two_runs(OPTIONS): the same job recorded with device times and with hooks alone, once for all tests."""
    from recorded_run import Recorder

    known = {}

    def record(options, ranks=0, devices=""):
        key = (options, ranks, devices)
        if key not in known:
            recorder = Recorder(tmp_path_factory.mktemp("runs"))
            command = training(f"--steps {STEPS} --timing {options}", ranks)
            disturbed = ",".join(filter(None, [DISTURBS, devices]))
            full = recorder.run(command, options=disturbed)
            light = recorder.run(command, options=disturbed, variables={"TAUPROF_DEVICE_TIMING": "off"})
            assert (full.status, light.status) == (0, 0), full.errors + light.errors
            known[key] = full, light
        return known[key]

    return record


def undisturbed(full, light):
    return full.report("--host-times", str(light.logs), "--steps", f"{WARM_UP}:{STEPS - 2}")


HOST_BOUND = {
    "host work": "--loss-every 1 --host-work 0:15",
    "many launches": "--loss-every 1 --slices 40",
    "reads": "--loss-every 1 --clip 1 --clip-reads-norm --host-work 0:6",
}


@pytest.mark.parametrize("program", HOST_BOUND)
def test_the_reports_step_is_that_of_the_light_run(two_runs, program):
    full, light = two_runs(HOST_BOUND[program])
    recorded = full.report("--steps", f"{WARM_UP}:{STEPS - 2}")
    report = undisturbed(full, light)
    disturbance = report["disturbance"]
    assert disturbance["source"] == "second-run", disturbance
    assert disturbance["pairs"] >= STEPS // 2
    step = report["steps"]["duration_ns"]["mean"]
    assert recorded["steps"]["duration_ns"]["mean"] > 1.05 * step
    # As near as the report itself says that light steps are predicted.
    assert disturbance["error"] < 0.2
    assert step == pytest.approx(own_step(light), rel=max(0.05, 2 * disturbance["error"]))
    assert disturbance["light_step_ns"] == pytest.approx(own_step(light), rel=0.05)
    assert disturbance["full_step_ns"] == pytest.approx(own_step(full), rel=0.05)
    ledger = report["ledger"]
    assert ledger["sum_ns"] == ledger["step_ns"] == sum(ledger["rows"].values())


@pytest.fixture(scope="module")
def run_with_light_steps(tmp_path_factory):
    from recorded_run import Recorder

    variables = {"TAUPROF_EVERY": "1/2", "TAUPROF_STEP_MARKER": "nvtx:step*"}
    run = Recorder(tmp_path_factory.mktemp("light")).run(
        training(f"--steps {LIGHT_STEPS} --timing --nvtx --loss-every 1 --host-work 0:10"), options=DISTURBS, variables=variables)
    assert run.status == 0, run.errors
    return run


def test_light_steps_of_the_run_itself_tell(run_with_light_steps):
    run = run_with_light_steps
    # The window of a marker's first step begins before its work: it is longer than any light step by start-up.
    report = run.report("--steps", f"{WARM_UP}:{LIGHT_STEPS - 2}")
    disturbance = report["disturbance"]
    assert disturbance["source"] == "light", disturbance
    took = {int(step): 1e6 * float(ms) for step, ms in TOOK.findall(run.output)}
    light = [took[step] for step in light_steps(run) if step in took]
    assert len(light) >= 30
    assert disturbance["light_step_ns"] == pytest.approx(statistics.mean(light), rel=0.05)
    assert disturbance["error"] < 0.2
    assert report["steps"]["duration_ns"]["mean"] == pytest.approx(
        disturbance["light_step_ns"], rel=max(0.05, 2 * disturbance["error"]))
    assert disturbance["full_step_ns"] > 1.1 * disturbance["light_step_ns"]
    assert disturbance["full_share"] == pytest.approx(1 - len(light_steps(run)) / len(took), abs=0.05)
    assert disturbance["run_slowdown"] in (None, disturbance["slowdown"] and pytest.approx(
        disturbance["slowdown"] * disturbance["full_share"]))
    # Steps without device times are no loss of records, and none of them is a step of the report.
    assert not {step["step"] for step in report["steps"]["list"]} & light_steps(run)
    ledger = report["ledger"]
    assert ledger["sum_ns"] == ledger["step_ns"] == sum(ledger["rows"].values())


def light_steps(run):
    """The numbers of the steps that began and ended while no device times were taken."""
    log = run.only_log()
    marks = sorted(row["time"] for row in log.rows["step_mark"])
    rows = sorted(log.rows["device_times"], key=lambda row: row["time"])
    ends = [row["time"] for row in rows[1:]] + [float("inf")]
    off = [(row["time"], end) for row, end in zip(rows, ends) if row["state"] == "off"]
    return {number for number, (start, end) in enumerate(zip(marks, marks[1:]))
            if any(begin <= start and end <= over for begin, over in off)}


def test_a_step_that_its_device_bounds_stays(two_runs):
    full, light = two_runs("--loss-every 0", devices="time_scale=6")
    report = undisturbed(full, light)
    recorded = full.report("--steps", f"{WARM_UP}:{STEPS - 2}")
    assert report["steps"]["duration_ns"]["mean"] == pytest.approx(recorded["steps"]["duration_ns"]["mean"], rel=0.01)
    assert report["verdict"]["class"] == "gpu"


def test_the_first_screen_says_what_recording_cost(two_runs):
    full, light = two_runs(HOST_BOUND["host work"])
    screen = tauprof("analyze", str(full.logs), "--host-times", str(light.logs)).stdout
    cost = " ".join(screen[screen.index("\nCOST "):screen.index("\nREPAIR")].split())
    assert "recording made a step" in cost or "not known" in cost
    assert "light steps are predicted to" in cost


def test_logs_of_another_program_tell_nothing(two_runs):
    full, _ = two_runs(HOST_BOUND["host work"])
    _, other = two_runs(HOST_BOUND["many launches"])
    report = full.report("--host-times", str(other.logs))
    assert report["disturbance"]["source"] is None
    assert "makes other calls" in report["disturbance"]["reason"]
