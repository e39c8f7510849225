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


def wait_for(process, seconds):
    end = time.monotonic() + seconds
    while not has_ended(process):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


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
    """What a check's programs printed last."""
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


def run_check(check, settings, workplace):
    folder = workplace / check.name
    folder.mkdir()
    start = time.monotonic()
    with open(folder / "messages0", "wb") as messages:
        process = subprocess.Popen([sys.executable, "-B", str(ONE_CHECK), check.name, str(workplace)],
                                   stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, start_new_session=True)
    try:
        in_time = wait_for(process, timeout_of(check, settings))
        end_group(process)
        if in_time:
            outcome = outcome_in(folder, check, process.returncode)
        else:
            outcome = failing(check, f"not done after {timeout_of(check, settings):g} s", output=last_words(folder))
    except Interrupted as signal_name:
        end_group(process)
        outcome = lacking(check, f"time: interrupted by {signal_name} while it ran", output=last_words(folder))
        outcome.seconds = round(time.monotonic() - start, 3)
        raise InterruptedCheck(outcome, str(signal_name)) from None
    outcome.seconds = round(time.monotonic() - start, 3)
    if outcome.outcome in (PASSED, MEASURED) and not settings["keep"]:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


class InterruptedCheck(Exception):
    def __init__(self, outcome, signal_name):
        super().__init__(signal_name)
        self.outcome, self.signal_name = outcome, signal_name
