"""Runs each check in a process group of its own, so that none can take another along, nor outlive its time."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from check import Outcome, PASSED, MEASURED, failing, lacking
from one_check import OUTCOME

ONE_CHECK = pathlib.Path(__file__).resolve().parent / "one_check.py"
AFTER_KILL_S = 10


class Interrupted(Exception):
    """A signal asked for the end; the text is its name."""


def has_ended(process):
    """Whether it has; it is not reaped, so that its group keeps its number until the group is killed."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def end_group(process):
    """Kills the whole group. What the kernel holds is left behind."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        process.wait(AFTER_KILL_S)
    except subprocess.TimeoutExpired:
        pass


def last_words(folder):
    """The last output of a check's programs."""
    files = sorted((file for file in [folder / "messages0", *folder.glob("run*/*[0-9]")] if file.is_file()),
                   key=lambda file: file.stat().st_mtime)
    return "\n".join(f"[{file.parent.name}/{file.name}] {text[-500:].strip()}"
                     for file in files[-4:] for text in [file.read_text(encoding="utf-8", errors="replace")] if text)


def timeout_of(check, settings):
    return check.timeout_s + (settings["minutes"] * 60 if check.needs_minutes else 0)


def outcome_in(folder, check, status):
    try:
        return Outcome(**json.loads((folder / OUTCOME).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return failing(check, f"the check's own process ended with {status}", output=last_words(folder))


class Running:
    """A check under way."""

    def __init__(self, check, settings, workplace):
        self.check, self.settings, self.folder = check, settings, workplace / check.name
        self.folder.mkdir()
        self.start = time.monotonic()
        with open(self.folder / "messages0", "wb") as messages:
            self.process = subprocess.Popen([sys.executable, "-B", str(ONE_CHECK), check.name, str(workplace)],
                                            stdin=subprocess.DEVNULL, stdout=messages, stderr=messages,
                                            start_new_session=True)

    def outcome(self):
        """None while it is under way."""
        timeout_s = timeout_of(self.check, self.settings)
        if has_ended(self.process):
            end_group(self.process)
            outcome = outcome_in(self.folder, self.check, self.process.returncode)
        elif time.monotonic() > self.start + timeout_s:
            end_group(self.process)
            outcome = failing(self.check, f"not done after {timeout_s:g} s", output=last_words(self.folder))
        else:
            return None
        if outcome.outcome in (PASSED, MEASURED) and not self.settings["keep"]:
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.timed(outcome)

    def interrupted_by(self, signal_name):
        end_group(self.process)
        return self.timed(lacking(self.check, f"time: interrupted by {signal_name} while it ran",
                                  output=last_words(self.folder)))

    def timed(self, outcome):
        outcome.seconds = round(time.monotonic() - self.start, 3)
        return outcome


class Checks:
    """Runs checks, up to `jobs` at a time. Those that are about time run alone, after the others."""

    def __init__(self, checks, settings, workplace, jobs=1):
        self.waiting = sorted(checks, key=lambda check: (check.runs_alone, check.measures)) if jobs > 1 else list(checks)
        self.settings, self.workplace, self.jobs = settings, workplace, jobs
        self.running = []

    def has_room(self):
        if not self.running:
            return True
        return len(self.running) < self.jobs and not self.waiting[0].runs_alone

    def outcomes(self):
        """Each as it comes."""
        while self.waiting or self.running:
            while self.waiting and self.has_room():
                self.running.append(Running(self.waiting.pop(0), self.settings, self.workplace))
            for running in list(self.running):
                outcome = running.outcome()
                if outcome is not None:
                    self.running.remove(running)
                    yield outcome
            time.sleep(0.02)

    def interrupt(self, signal_name):
        """The outcomes of those under way."""
        return [running.interrupted_by(signal_name) for running in self.running]
