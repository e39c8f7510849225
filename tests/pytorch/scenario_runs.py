"""Runs each scenario in three ways, once for all tests: bare, recorded, and recorded with stacks.

Each run has its own folder and simulated devices. Only the recorded run writes time stamps of its phases
(phase_times.py), so each script runs both with and without stamps. It is alone on the processors where no other worker
of pytest-xdist runs programs (scripts/test-pytorch --host-times); the other two run together as soon as a test asks for
one of them.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "capture"), str(HERE.parent / "simgpu" / "truth")]

from recorded_run import Recorder  # noqa: E402
from simgpu_truth.reader import read_directory  # noqa: E402

TIMEOUT_S = 300  # of concurrent runs on a busy machine
WAYS = {
    "bare": {"preload": False},
    "recorded": {"variables": {}},
    "stacks": {"variables": {"TAUPROF_STACKS": "slow"}},
}
STAMPED = ("recorded", "alternating")  # and windows


def python_with_torch():
    python = os.environ.get("TAUPROF_PYTORCH_PYTHON")
    if not python:
        pytest.skip("TAUPROF_PYTORCH_PYTHON names no Python that has PyTorch; scripts/test-pytorch sets it")
    return python


@functools.lru_cache(maxsize=None)
def version_of(python):
    """(3, 11)"""
    code = "import sys; print(*sys.version_info[:2])"
    answer = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return tuple(map(int, answer.stdout.split()))


def without_times(output):
    return re.sub(r"^seconds [0-9.]+$", "seconds", output, flags=re.MULTILINE)


def window_name(first, count):
    return f"window{first}+{count}"


class ScenarioRuns:
    """`self[way]` is the finished run."""

    def __init__(self, scenario, folder, windows=()):
        """`windows`: recorded at the same time, for tests that do not depend on times."""
        self.scenario = scenario
        self.folder = folder
        self.recorder = Recorder(folder)
        self.runs = {}
        self.make("recorded", *windows)

    def __getitem__(self, way):
        if way not in self.runs:
            started = {other: self._start(other) for other in ("bare", "stacks")}
            self.runs.update((other, self._finish(run)) for other, run in started.items())
        return self.runs[way]

    def make(self, *ways):
        """These runs, together: names of WAYS, or the first and the number of the steps of a window (from 0)."""
        started = {}
        for way in ways:
            is_window = isinstance(way, tuple)
            wanted = {"TAUPROF_START_STEP": str(way[0]), "TAUPROF_STEPS": str(way[1])} if is_window else None
            name = window_name(*way) if is_window else way
            if name not in self.runs:
                started[name] = self._start(name, None, wanted)
        self.runs.update((name, self._finish(run)) for name, run in started.items())

    def with_alternating_stamps(self, steps, period):
        """One more recorded run, alone and longer, with every other step stamped; which ones changes after `period`."""
        if "alternating" not in self.runs:
            longer = dataclasses.replace(self.scenario, steps=steps)
            more = {"PHASE_TIMES_ALTERNATE": str(period)}
            self.runs["alternating"] = self._finish(self._start("alternating", longer, more))
        return self.runs["alternating"]

    def of_a_window(self, first, count):
        """One more recorded run, of these steps only (counted from 0)."""
        self.make((first, count))
        return self.runs[window_name(first, count)]

    def without_marks(self):
        """One more recorded run, with Python left alone."""
        if "without_marks" not in self.runs:
            variables = {"TAUPROF_PYTHON": "off"}
            self.runs["without_marks"] = self._finish(self._start("without_marks", None, variables))
        return self.runs["without_marks"]

    def with_events(self):
        """One more recorded run, with device times from CUDA events."""
        if "events" not in self.runs:
            self.runs["events"] = self._finish(self._start("events", None, {"TAUPROF_DEVICE_TIMING": "events"}))
        return self.runs["events"]

    def _start(self, way, scenario=None, more=None):
        folder = self.folder_of(way)
        folder.mkdir()
        scenario, how = scenario or self.scenario, WAYS.get(way, {})
        variables = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1",
                     "TORCHINDUCTOR_CACHE_DIR": str(self.folder / "inductor"),
                     **how.get("variables", {}), **(more or {})}
        if way in STAMPED or way.startswith("window"):
            variables["PHASE_TIMES"] = str(folder / "phases")
        return self.recorder.start(scenario.command(python_with_torch()), preload=how.get("preload", True),
                                   options=scenario.devices, variables=variables, cwd=folder)

    def _finish(self, started):
        return self.recorder.finish(started, TIMEOUT_S)

    def folder_of(self, way):
        return self.folder / way

    def device_work(self, way):
        """{rank: spans on the simulated devices}"""
        return {process.rank: process.spans for process in read_directory(self[way].truth) if process.spans}

    def phases(self, rank=0, way="recorded"):
        """The time stamps that the script wrote."""
        text = (self.folder_of(way) / "phases" / f"rank{rank}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]
