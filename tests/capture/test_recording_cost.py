"""The cost of recording for the program's threads, as the report gives it: CUDA events and stacks are in it, once; what
is not is named."""

import itertools
import pathlib

import pytest

from recorded_run import ROOT, RecordedRun, tauprof, training

PARTS = ("start_and_calls_ns", "events_ns", "cupti_ns", "stacks_ns", "end_ns")


def cost_of(report):
    quality = report["quality"]
    cost = quality["profiler_cost"]
    assert quality["profiler_ns_on_app_threads"] == sum(cost[part] or 0 for part in PARTS)
    return cost


def cost_line(run):
    """The paragraph behind the label `cost`, as one line."""
    lines = tauprof("analyze", str(run.logs), "--show", "recording").stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("  cost "))
    rest = itertools.takewhile(lambda line: line.startswith(" " * 12), lines[first + 1:])
    return "  cost      " + " ".join([lines[first].split(maxsplit=1)[1], *(line.strip() for line in rest)])


@pytest.mark.parametrize("ranks", [1, 2])
def test_slow_events_are_in_the_cost_once(recorder, ranks):
    """Recording an event takes 200 us here; each timed launch has two."""
    event_ns = 200_000
    command = training("--steps 4 --nvtx", ranks)
    run = recorder.run(command, options="event_record_us=200", variables={"TAUPROF_DEVICE_TIMING": "events"})
    assert run.errors == ""
    report = run.report()
    cost = cost_of(report)
    events = 2 * sum(len(log.rows["device_activity"]) for log in run.read_logs())
    assert events > 400
    assert events * event_ns <= cost["events_ns"]
    assert cost["start_and_calls_ns"] < events * event_ns
    assert cost["cupti_ns"] == cost["stacks_ns"] == 0 and cost["not_included"] == []
    launches = [row for row in report["calls"] if row["function"] == "__cudaLaunchKernel"]
    assert launches and launches[0]["min_ns"] < event_ns / 2
    line = cost_line(run)
    assert "CUDA events" in line and "not counted" not in line


def test_what_cupti_adds_inside_of_calls_is_said_to_be_missing(recorder):
    run = recorder.run(training("--steps 4", 1), variables={"TAUPROF_DEVICE_TIMING": "cupti"})
    cost = cost_of(run.report())
    assert cost["events_ns"] == 0 < cost["cupti_ns"] and cost["not_included"] == ["inside_cupti"]
    assert cost_line(run).endswith("; not counted: what CUPTI adds inside of CUDA's calls")


def test_stacks_are_in_the_cost(recorder):
    variables = {"TAUPROF_STACKS": "all", "TAUPROF_DEVICE_TIMING": "off"}
    run = recorder.run(training("--steps 4", 1), variables=variables)
    cost = cost_of(run.report())
    assert cost["stacks_ns"] > 0 == cost["events_ns"]
    assert " stacks" in cost_line(run)


def test_an_older_log_says_what_its_cost_leaves_out():
    fixture = ROOT / "tests" / "format" / "fixture-v1.tauprof"
    run = RecordedRun(0, "", "", fixture, pathlib.Path())
    cost = cost_of(run.report())
    assert [cost[part] for part in PARTS[1:]] == [None] * 4
    assert cost["not_included"] == ["events", "cupti", "stacks", "end", "inside_cupti"]
    assert "; not counted: CUDA events, calls of CUPTI, stacks, waiting at the end" in cost_line(run)
