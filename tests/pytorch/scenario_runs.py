"""Runs each scenario three ways, once for all tests that look at it: bare, recorded, and recorded with stacks.

Each has a folder of its own, on simulated devices. Only the recorded one writes the time stamps of its phases
(phase_times.py), so that both forms of each script run. It has the processors for itself; the others run at once, when a
test looks at one of them.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture"), str(HERE.parent / "simgpu" / "truth")]

from recorded_run import Recorder  # noqa: E402
from simgpu_truth.reader import read_directory  # noqa: E402

TIMEOUT_S = 300  # of three runs at once, on a busy machine
WAYS = {
    "bare": {"preload": False},
    "recorded": {"variables": {}},
    "stacks": {"variables": {"TAUPROF_STACKS": "slow"}},
}
STAMPED = ("recorded", "turns", "window")


def python_with_torch():
    python = os.environ.get("TAUPROF_PYTORCH_PYTHON")
    if not python:
        pytest.skip("TAUPROF_PYTORCH_PYTHON names no Python that has PyTorch; scripts/test-pytorch sets it")
    return python


def without_times(output):
    return re.sub(r"^seconds [0-9.]+$", "seconds", output, flags=re.MULTILINE)


class ScenarioRuns:
    """`self[way]` is the finished run of that way."""

    def __init__(self, scenario, folder):
        self.scenario = scenario
        self.folder = folder
        self.recorder = Recorder(folder)
        self.runs = {"recorded": self._finish(self._start("recorded"))}

    def __getitem__(self, way):
        if way not in self.runs:
            started = {other: self._start(other) for other in ("bare", "stacks")}
            self.runs.update((other, self._finish(run)) for other, run in started.items())
        return self.runs[way]

    def with_stamps_in_turns(self, steps, changes):
        """One more recorded run, alone and longer: every other step is stamped, which ones changes after so many."""
        if "turns" not in self.runs:
            longer = dataclasses.replace(self.scenario, steps=steps)
            self.runs["turns"] = self._finish(self._start("turns", longer, {"PHASE_TIMES_TURNS": str(changes)}))
        return self.runs["turns"]

    def of_a_window(self, first, count):
        """One more recorded run, of these steps alone (from 0)."""
        if "window" not in self.runs:
            wanted = {"TAUPROF_START_STEP": str(first), "TAUPROF_STEPS": str(count)}
            self.runs["window"] = self._finish(self._start("window", None, wanted))
        return self.runs["window"]

    def with_all_stacks(self):
        """One more recorded run, with the stack of each call."""
        if "all_stacks" not in self.runs:
            self.runs["all_stacks"] = self._finish(self._start("all_stacks", None, {"TAUPROF_STACKS": "all"}))
        return self.runs["all_stacks"]

    def _start(self, way, scenario=None, more=None):
        place = self.place(way)
        place.mkdir()
        scenario, how = scenario or self.scenario, WAYS.get(way, {})
        variables = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **how.get("variables", {}), **(more or {})}
        if way in STAMPED:
            variables["PHASE_TIMES"] = str(place / "phases")
        return self.recorder.start(scenario.command(python_with_torch()), preload=how.get("preload", True),
                                   options=scenario.devices, variables=variables, cwd=place)

    def _finish(self, started):
        return self.recorder.finish(started, TIMEOUT_S)

    def place(self, way):
        return self.folder / way

    def device_work(self, way):
        """Spans of each rank of the simulated devices, by rank."""
        return {process.rank: process.spans for process in read_directory(self[way].truth) if process.spans}

    def phases(self, rank=0, way="recorded"):
        """The time stamps that the run wrote itself."""
        text = (self.place(way) / "phases" / f"rank{rank}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]
