"""The answer of a command of this machine, or why there is none."""

from __future__ import annotations

import json
import subprocess

TIMEOUT_S = 180


def answer(command):
    """Its output, and "" or the reason why there is none."""
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [""]
        return "", f"exit status {done.returncode}: {lines[-1]}"
    return done.stdout.strip(), ""


def lines_of(command):
    return answer(command)[0].splitlines()


def json_answer(command):
    """The last line that it prints, as an object; {} and the reason."""
    text, why = answer(command)
    try:
        return json.loads(text.splitlines()[-1]) if text else {}, why
    except ValueError as error:
        return {}, str(error)
