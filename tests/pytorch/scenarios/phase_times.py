"""Notes when the phases of a training loop start and end, invisibly to profilers.

    times = PhaseTimes()
    with times.phase("forward"):
        loss = model(inputs)

The variable PHASE_TIMES names a folder for one file per rank, with one JSON object per line: phase, step, begin_ns,
end_ns (CLOCK_MONOTONIC) and thread (the kernel's number). Without it nothing is measured or written. The lines are kept in memory until the process ends,
so a phase costs two readings of the clock and no call that could be hooked.

With PHASE_TIMES_ALTERNATE=12, every other step is stamped; which ones changes after each 12 steps.
"""

import atexit
import contextlib
import json
import os
import pathlib
import threading
import time


class PhaseTimes:
    def __init__(self):
        self.folder = os.environ.get("PHASE_TIMES")
        self.period = int(os.environ.get("PHASE_TIMES_ALTERNATE", "0"))
        self.is_on = bool(self.folder)
        self.current_step = None
        self.lines = []
        if self.folder:
            atexit.register(self._write, os.getpid())

    def step(self, number):
        self.current_step = number
        if self.folder and self.period:
            self.is_on = (number - 1 + (number - 1) // self.period) % 2 == 0
        return self.phase("step")

    def phase(self, name):
        return self._timed(name) if self.is_on else contextlib.nullcontext()

    @contextlib.contextmanager
    def _timed(self, name):
        start = time.monotonic_ns()
        try:
            yield
        finally:
            self.lines.append({"phase": name, "step": self.current_step, "begin_ns": start,
                               "end_ns": time.monotonic_ns(), "thread": threading.get_native_id()})

    def _write(self, pid):
        if os.getpid() != pid:  # a forked loader has a copy of its parent's lines
            return
        path = pathlib.Path(self.folder) / f"rank{os.environ.get('RANK', '0')}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines), encoding="utf-8")
