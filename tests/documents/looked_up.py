"""Whether a command that is not run has the options, values, presets and targets that its programs know."""

import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from documented import ROOT
from stand_ins import LAUNCHER

SHELL_WORDS = {"&&", "||", "|", ";", ">"}


@functools.cache
def help_of(*program):
    environment = {**os.environ, "PYTHONPATH": os.environ["TAUPROF_PYTHON_PACKAGE"]}
    done = subprocess.run([*program, "--help"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{' '.join(map(str, program))} --help: {done.stderr}"
    return done.stdout


def parts_of(text):
    """The words of each program of a command line, without what is handed on behind `--`."""
    part = []
    for word in [*shlex.split(text, comments=True), ";"]:
        if word in SHELL_WORDS:
            yield part[:part.index("--")] if "--" in part else part
            part = []
        else:
            part.append(word)


def faults_against_help(words, text):
    """The faults in options and their values, by a help text."""
    faults = []
    for at, word in enumerate(words):
        option, _, value = word.partition("=")
        if not re.fullmatch(r"-[a-z]|--[a-z][a-z-]+", option):
            continue
        described = re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])(?:, --[\w-]+)?(?: ([^\s\[\],]+))?", text)
        if not described:
            faults.append(f"no option {option}")
            continue
        values = (described[1] or "").split("|")
        value = value or (words[at + 1] if at + 1 < len(words) else "")
        if len(values) > 1 and value and not set(re.split(r"[,|]", value)) & set(values):
            faults.append(f"{option} {value}: not one of {', '.join(values)}")
    return faults


def faults_of_build(words, build):
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))
    kinds = ("configurePresets", "buildPresets", "testPresets")
    known = {preset["name"] for kind in kinds for preset in presets.get(kind, [])}
    asked = [words[at + 1] for at, word in enumerate(words) if word == "--preset"]
    faults = [f"no preset {name}" for name in asked if name not in known]
    if "--target" in words:
        rules = (build / "build.ninja").read_text(encoding="utf-8")
        for target in words[words.index("--target") + 1:]:
            if not re.search(rf"^build {re.escape(target)}: phony", rules, re.MULTILINE):
                faults.append(f"no target {target}")
    return faults


def faults_of(text, tauprof):
    """The faults in a command line, as far as its programs' help tells."""
    faults = []
    for words in parts_of(re.sub(LAUNCHER, "", text)):
        if words[:1] == ["tauprof"]:
            faults += faults_against_help(words[2:], help_of(tauprof, *[word for word in words[1:2] if word[0] != "-"]))
        elif words[0].startswith("scripts/"):
            faults += faults_against_help(words[1:], help_of(ROOT / words[0]))
        elif words[:2] == ["python", "-m"]:
            module = words[len(words) - words[::-1].index("-m")]
            faults += faults_against_help(words[words.index(module) + 1:], help_of(sys.executable, "-m", module))
        elif words[0] in ("cmake", "ctest"):
            faults += faults_of_build(words[1:], pathlib.Path(tauprof).parents[2])
        else:
            faults.append(f"{words[0]} has no help here")
    return faults
