"""Runs a script bare and recorded, and reads the marks of the recorded run."""

import json
import re

from recorded_run import Recorder
from scenario_runs import python_with_torch
from scenario_table import SCRIPTS


def without_stamps(errors):
    """The lines of PyTorch's logger without time and process."""
    return re.sub(r"^([A-Z])\d{4} [0-9:.]+ \d+ ", r"\1 ", errors, flags=re.MULTILINE)


def run_both(folder, *arguments, script="marked.py", python_options=(), variables=None):
    """(what the bare run printed, what the recorded run printed, the recorded run)"""
    recorder = Recorder(folder)
    command = [python_with_torch(), *python_options, str(SCRIPTS / script), *arguments]
    bare = recorder.run(command, preload=False)
    recorded = recorder.run(command, variables=variables)
    assert recorded.status == bare.status == 0, bare.errors + recorded.errors
    assert without_stamps(recorded.errors) == without_stamps(bare.errors)
    return json.loads(bare.output), json.loads(recorded.output), recorded


def marks_of(run):
    """{name: the rows of that mark}"""
    log = run.only_log()
    marks = {}
    for row in (*log.rows["range"], *log.rows["mark"]):
        if row["source"] == "framework":
            assert row["domain"] == "pytorch"
            marks.setdefault(row["name"], []).append(row)
    return marks


def counts(marks, *names):
    return {name: len(marks.get(name, ())) for name in names}
