"""Reads the stacks of a recorded log, and finds the interpreters to record."""

import functools
import os
import pathlib
import subprocess
import sys

import pytest

from tiers import two_tiers

SCRIPTS = pathlib.Path(__file__).resolve().parent / "scripts"
OLDEST, NEWEST = (3, 8), (3, 14)


def stack_of(log, number):
    """The frames of a stack, innermost first, as rows."""
    frames = {row["frame"]: row for row in log.rows["frame"]}
    stacks = {row["stack"]: row for row in log.rows["stack"]}
    found = []
    while number:
        found.append(frames[stacks[number]["frame"]])
        number = stacks[number]["caller"]
    return found


def python_stack(log, number):
    """The frames of a stack, innermost first, as [file, line, function]."""
    return [[row["file"], row["line"], row["function"]] for row in stack_of(log, number)]


def line_with(script, text):
    lines = (SCRIPTS / script).read_text(encoding="utf-8").splitlines()
    [number] = [i + 1 for i, line in enumerate(lines) if text in line]
    return number


def script(python, name):
    return [python, str(SCRIPTS / name)]


@functools.lru_cache(maxsize=None)
def version_of(python):
    done = subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True,
                          check=False)
    return tuple(map(int, done.stdout.split()))


def interpreters():
    """One interpreter of each version: this one, those in PATH, those of pyenv."""
    root = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv")) / "versions"
    candidates = [sys.executable, "/usr/bin/python3", *map(str, sorted(root.glob("*/bin/python3")))]
    found = {}
    for path in candidates:
        if os.path.exists(path):
            found.setdefault(version_of(path), path)
    return found


def known_interpreters():
    return {version: path for version, path in interpreters().items() if OLDEST <= version <= NEWEST}


def with_each_interpreter(test):
    """Runs a test with the interpreter that runs pytest, and in the full tier with all of them."""
    known = sorted(known_interpreters().items())
    return pytest.mark.parametrize("python", two_tiers([path for _, path in known], sys.executable.__eq__),
                                   ids=[".".join(map(str, version)) for version, _ in known])(test)
