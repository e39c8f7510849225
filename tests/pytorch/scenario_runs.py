"""Runs each scenario three ways, once for all tests that look at it: bare, recorded, and recorded with stacks.

Each has a folder of its own, on simulated devices. Only the recorded one writes the time stamps of its phases
(phase_times.py), so that both forms of each script run. It has the processors for itself; then the others run at once.
"""

from __future__ import annotations

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


def python_with_torch():
    python = os.environ.get("TAUPROF_PYTORCH_PYTHON")
    if not python:
        pytest.skip("TAUPROF_PYTORCH_PYTHON names no Python that has PyTorch; scripts/test-pytorch sets it")
    return python


def without_times(output):
    return re.sub(r"^seconds [0-9.]+$", "seconds", output, flags=re.MULTILINE)


class ScenarioRuns:
    """`runs[way]` is the finished run of that way."""

    def __init__(self, scenario, folder):
        self.scenario = scenario
        self.folder = folder
        recorder = Recorder(folder)
        self.runs = {"recorded": recorder.finish(self._start(recorder, "recorded"), TIMEOUT_S)}
        others = () if scenario.is_about_phases else ("bare", "stacks")
        started = {way: self._start(recorder, way) for way in others}
        self.runs.update((way, recorder.finish(run, TIMEOUT_S)) for way, run in started.items())

    def _start(self, recorder, way):
        place = self.place(way)
        place.mkdir()
        how = WAYS[way]
        variables = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", **how.get("variables", {})}
        if way == "recorded":
            variables["PHASE_TIMES"] = str(place / "phases")
        return recorder.start(self.scenario.command(python_with_torch()), preload=how.get("preload", True),
                              variables=variables, cwd=place)

    def place(self, way):
        return self.folder / way

    def __getitem__(self, way):
        return self.runs[way]

    def device_work(self, way):
        """Spans of each rank of the simulated devices, by rank."""
        return {process.rank: process.spans for process in read_directory(self.runs[way].truth) if process.spans}

    def phases(self, rank=0):
        """The time stamps that the recorded run wrote itself."""
        text = (self.place("recorded") / "phases" / f"rank{rank}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]
