"""Each scenario trains to its end with the same output with and without the recorder, and its log is complete."""

import collections

import pytest

from scenario_runs import WAYS, without_times
from scenario_table import SCENARIOS

PHASES = {"step", "dataload_wait", "h2d", "forward", "backward", "unscale_clip", "optim_step", "zero_grad_sched",
          "sync_gather", "other"}
STEPS = 12



def marks_of(scenario):
    return ([pytest.mark.every_wheel] if scenario.on_every_wheel else []) + (
        [] if scenario.in_every_run else [pytest.mark.full])


def each_of(scenarios):
    return pytest.mark.parametrize("name", [pytest.param(scenario.name, marks=marks_of(scenario))
                                            for scenario in scenarios])


every = each_of(SCENARIOS)


@every
def test_trains_to_its_end(runs_of, name):
    for way in WAYS:
        run = runs_of(name)[way]
        assert run.status == 0, f"{way}: {run.output}{run.errors}"
        assert f"trained {STEPS} steps" in run.output, way


@every
def test_output_is_the_same_with_the_recorder(runs_of, name):
    runs = runs_of(name)
    for way in ("recorded", "stacks"):
        assert without_times(runs[way].output) == without_times(runs["bare"].output), way
        ours = [line for line in runs[way].errors.splitlines() if "tauprof: " in line]
        assert len(ours) == runs.scenario.profiles_itself, ours
        assert len(runs[way].errors.splitlines()) - len(ours) == len(runs["bare"].errors.splitlines())


@every
def test_device_work_is_the_same_with_the_recorder(runs_of, name):
    runs = runs_of(name)
    expected = {rank: collections.Counter(span.name for span in spans)
                for rank, spans in runs.device_work("bare").items()}
    assert len(expected) == max(1, runs.scenario.ranks)
    for way in ("recorded", "stacks"):
        assert {rank: collections.Counter(span.name for span in spans)
                for rank, spans in runs.device_work(way).items()} == expected, way


@every
def test_logs_pass_the_check(runs_of, name):
    runs = runs_of(name)
    for way in ("recorded", "stacks"):
        assert len(runs[way].log_files()) == max(1, runs.scenario.ranks), way
        assert runs[way].check().returncode == 0, runs[way].check().stdout


def test_what_accelerate_does_around_pytorchs_functions_is_theirs(runs_of):
    """Two backward passes and one update for each of the script's steps; and accelerate's optimizer around them."""
    for log in runs_of("accelerate")["recorded"].read_logs():
        marks = collections.defaultdict(list)
        for row in log.rows["range"]:
            if row["source"] == "framework":
                marks[row["name"]].append((row["start"], row["start"] + row["duration"]))
        assert {name: len(marks[name]) for name in ("backward", "update", "updating")} == {
            "backward": 2 * STEPS, "update": STEPS, "updating": 2 * STEPS}
        assert all(any(start <= inner[0] and inner[1] <= end for start, end in marks["updating"])
                   for inner in marks["update"])


# A scenario that profiles itself leaves a gap in the log: see test_torch_profiler.py.
@each_of(scenario for scenario in SCENARIOS if not scenario.profiles_itself)
def test_all_device_work_is_in_the_log(runs_of, name):
    runs = runs_of(name)
    for way in ("recorded", "stacks"):
        assert runs[way].faults() == "", way
    quality = runs["recorded"].report()["quality"]
    assert quality["dropped"] == quality["unmatched_spans"] == 0
    assert quality["gaps"] == quality["unclassified_kernels"] == []


@every
def test_the_scripts_time_stamps_are_complete(runs_of, name):
    runs = runs_of(name)
    for rank in range(max(1, runs.scenario.ranks)):
        lines = runs.phases(rank)
        steps = {line["step"]: line for line in lines if line["phase"] == "step"}
        assert sorted(steps) == list(range(1, STEPS + 1))
        assert {line["phase"] for line in lines} <= PHASES
        for line in lines:
            step = steps[line["step"]]
            assert step["begin_ns"] <= line["begin_ns"] <= line["end_ns"] <= step["end_ns"]
