"""TAUPROF_EVERY: full steps, with device times, and light ones, recorded by hooks alone, in one run.

The training marks its steps by NVTX ranges. Each rank's log is held against its own truth: launches in a full stretch
have their records, and those in a light one none."""

import bisect
import dataclasses

import pytest

import expected_report
from recorded_run import training
from simgpu_truth.reader import read_directory

MARKED = {"TAUPROF_STEP_MARKER": "nvtx:step*"}
SLOW = "--layers 2 --nvtx --loader-on-main-thread --loader-ms"  # a step takes at least so many ms
WORK = ("kernel", "collective", "memcpy", "memset", "graph")


@dataclasses.dataclass
class Stretch:
    """A time in which device times were in one state."""
    state: str
    start: int
    end: float
    step: int  # that starts with it; -1: none


def stretches(log):
    rows = sorted(log.rows["device_times"], key=lambda row: row["time"])
    ends = [row["time"] for row in rows[1:]] + [float("inf")]
    return [Stretch(row["state"], row["time"], end, row["step"]) for row, end in zip(rows, ends)]


def states_of_steps(log):
    """The state of each step: of the whole step, else "mixed". A change with a step comes with the mark nearest to it:
    the thread may have lost its processor between the two."""
    marks = sorted(row["time"] for row in log.rows["step_mark"])
    parts = stretches(log)
    for before, part in zip(parts, parts[1:]):
        if part.step >= 0:
            before.end = part.start = min(marks, key=lambda mark: abs(mark - part.start))
    return {number: next((part.state for part in parts if part.start <= start and part.end >= end), "mixed")
            for number, (start, end) in enumerate(zip(marks, marks[1:]))}


def records_and_truth(log, truths):
    """(launched at, has a record) of all device work."""
    recorded = {(row["activity"], row["start"]) for row in log.rows["device_activity"]}
    starts = {start for _, start in recorded}
    return [(span.submitted, span.device_start in starts) for span in truths[log.pid].process.spans if span.kind in WORK]


def truths_of(run):
    return {process.pid: expected_report.RankTruth(process) for process in read_directory(run.truth) if process.spans}


def assert_launches_have_records_where_times_were_taken(run):
    """All of them in full steps, none in light ones, and some in those in which the source is switched. A launch at the
    very edge of a stretch may be on either side of it."""
    truths = truths_of(run)
    for log in run.read_logs():
        marks = sorted(row["time"] for row in log.rows["step_mark"])
        has_record = [[] for _ in marks]
        for submitted, has in records_and_truth(log, truths):
            if marks and marks[0] <= submitted < marks[-1]:
                has_record[bisect.bisect_right(marks, submitted) - 1].append(has)
        for number, state in states_of_steps(log).items():
            assert has_record[number], number
            assert state in ("mixed", "switching") or set(has_record[number]) == {state == "taken"}, (number, state)


def run_steps(recorder, ms, steps, every, ranks=1, more="", options="", **variables):
    return recorder.run(training(f"{SLOW} {ms} --steps {steps} {more}", ranks), options=f"wander_us=0,{options}",
                        variables=MARKED | {"TAUPROF_EVERY": every} | variables, timeout=200)


def test_blocks_are_full_and_light_by_turns(recorder):
    run = run_steps(recorder, 60, 50, "1/2")
    assert run.errors == ""
    log = run.only_log()
    states = states_of_steps(log)
    full, light = ([number for number, state in states.items() if state == wanted] for wanted in ("taken", "off"))
    assert full == [*range(0, 8), *range(16, 32), 48]
    assert {12, 13, *range(36, 46)} <= set(light) <= {*range(9, 15), *range(33, 47)}
    assert {part.step for part in stretches(log) if part.state == "taken"} == {-1, 16, 48}
    assert {part.step for part in stretches(log) if part.state == "switching"} >= {8, 32}
    assert_launches_have_records_where_times_were_taken(run)
    assert run.check().returncode == 0


def test_light_steps_have_everything_else(recorder):
    """Calls, collectives, ranges and CPU clocks are those of full steps."""
    run = run_steps(recorder, 60, 30, "1/2", ranks=2)
    for log in run.read_logs():
        marks = sorted(row["time"] for row in log.rows["step_mark"])
        states = states_of_steps(log)

        def sequence(number, kind, what, log=log, marks=marks):
            return [row[what] for row in sorted(log.rows[kind], key=lambda row: row["start"])
                    if marks[number] <= row["start"] < marks[number + 1] and row["name"] != f"step {number}"]

        light = [number for number, state in states.items() if state == "off"]
        assert len(light) >= 3
        for kind, what in [("call", "function"), ("collective", "operation"), ("gemm", "function"), ("range", "name")]:
            expected = {tuple(sequence(number, kind, what)) for number, state in states.items() if state == "taken"}
            assert all(expected)
            for number in light:
                assert tuple(sequence(number, kind, what)) in expected, (number, kind)
        with_clock = {number for number in range(len(marks) - 1)
                      if any(sequence(number, "call", "thread_cpu_ns"))}
        assert set(light) <= with_clock


@pytest.mark.parametrize("every", ["1/2", "2/5"])
def test_ranks_agree_however_late_they_start(recorder, every):
    """They have steps of their own lengths, and one loads for a second before its first step."""
    run = run_steps(recorder, 40, 40, every, ranks=3, more="--data-stall 1:0:1000 --host-stall 2:9:300")
    blocks = [{(part.state, part.step) for part in stretches(log) if part.step >= 0} for log in run.read_logs()]
    assert len(blocks) == 3
    starts = [{step for state, step in of_rank if state == "taken"} for of_rank in blocks]
    assert starts[0] == starts[1] == starts[2] == ({16, 32} & starts[0] if every == "1/2" else {20})
    full = [{number for number, state in states_of_steps(log).items() if state == "taken"} for log in run.read_logs()]
    assert full[0] == full[1] == full[2]
    light = [{number for number, state in states_of_steps(log).items() if state == "off"} for log in run.read_logs()]
    assert all(one and not one & full[0] for one in light)
    assert_launches_have_records_where_times_were_taken(run)


def test_a_window_starts_with_a_full_block(recorder):
    run = run_steps(recorder, 50, 40, "1/2", TAUPROF_START_STEP="5", TAUPROF_STEPS="20")
    log = run.only_log()
    states = states_of_steps(log)  # of the recorded steps: 0 is step 5
    assert len(states) == 19
    assert {number for number, state in states.items() if state == "taken"} == {*range(8), 16, 17, 18}
    assert "off" in states.values()
    assert {part.step for part in stretches(log) if part.state == "taken"} == {-1, 21}
    assert_launches_have_records_where_times_were_taken(run)


def test_steps_are_full_where_nobody_counts_them(recorder):
    run = recorder.run(training("--layers 2 --steps 20 --loader-on-main-thread --loader-ms 20"),
                       options="wander_us=0", variables={"TAUPROF_EVERY": "1/2"})
    assert "TAUPROF_EVERY: nobody counts this program's steps while it runs, so all of them have device times" in run.errors
    log = run.only_log()
    assert [part.state for part in stretches(log)] == ["taken"]
    assert all(has_record for _, has_record in records_and_truth(log, truths_of(run)))


@pytest.mark.parametrize("every", ["auto", "3/3", ""])
def test_without_light_steps_the_log_says_nothing(recorder, every):
    run = recorder.run(training("--layers 2 --steps 5 --nvtx"),
                       variables=MARKED | ({"TAUPROF_EVERY": every} if every else {}))
    assert run.errors == "" and not run.only_log().rows["device_times"]


def test_a_bad_share_is_reported(recorder):
    run = recorder.run(training("--layers 2 --steps 3 --nvtx"), variables=MARKED | {"TAUPROF_EVERY": "2"})
    assert run.errors == ("tauprof: TAUPROF_EVERY=2 is not understood (accepted: auto, or n/m such as 1/10: whole "
                          "numbers, n at least 1, m at least n and at most 1000); using the default\n")
    assert not run.only_log().rows["device_times"]


def test_a_budget_is_a_share_of_full_steps(recorder):
    run = recorder.run(training(f"{SLOW} 60 --steps 26"), options="wander_us=0",
                       variables=MARKED | {"TAUPROF_BUDGET": "20%"}, timeout=200)
    log = run.only_log()
    assert ("full_steps", "1/3") in {(row["name"], row["value"]) for row in log.rows["attribute"]}
    assert {number for number, state in states_of_steps(log).items() if state == "taken"} == {*range(8), 24}


def test_light_steps_without_cupti(recorder):
    """CUDA events are put around launches in full steps alone."""
    run = run_steps(recorder, 20, 30, "1/2", TAUPROF_DEVICE_TIMING="events")
    states = states_of_steps(run.only_log())
    assert [states[number] for number in (0, 7, 9, 13, 16, 28)] == ["taken", "taken", "off", "off", "taken", "taken"]
    log = run.only_log()
    work = [row["start"] for row in log.rows["device_activity"]]
    assert work
    owners = [log.owner(row["correlation"])["start"] for row in log.rows["device_activity"]]
    light = [part for part in stretches(log) if part.state == "off"]
    assert not [start for start in owners for part in light if part.start <= start < part.end]


def test_all_steps_are_light_where_no_times_are_wanted(recorder):
    run = run_steps(recorder, 5, 20, "1/2", TAUPROF_DEVICE_TIMING="off")
    assert [part.state for part in stretches(run.only_log())] == ["off"]


def test_steps_stay_in_between_where_cupti_cannot_be_switched_off(recorder):
    """Before CUDA 13.0 Update 1 that may deadlock."""
    run = recorder.run(["env", "SIMGPU_CUPTI_FAULTS=version=130000", *training(f"{SLOW} 20 --steps 30")],
                       options="wander_us=0", variables=MARKED | {"TAUPROF_EVERY": "1/2"})
    states = states_of_steps(run.only_log())
    assert [states[number] for number in (7, 9, 14, 16)] == ["taken", "switching", "switching", "taken"]
    assert_launches_have_records_where_times_were_taken(run)
