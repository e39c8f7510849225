"""The code that the tests of this folder share. Each test is one line of the table in docs/reliability.md:

    @fault("The program closes all descriptors", loses="nothing", says="nothing")
    def test_a_daemon_keeps_its_files(recorder): ...

A test does to the program what its title says, with and without the recorder, and compares the two runs from outside:
exit status or signal, output, files. `scripts/stress` repeats the tests and writes the table.
"""

import pathlib

import pytest

from recorded_run import program

OURS = "tauprof: "


def fault(title, *, loses, says="nothing"):
    """`loses`: what is missing in the log; `says`: what the recorder prints on stderr."""
    return pytest.mark.fault(title=title, loses=loses, says=says)


def hostile(name, *arguments):
    """The command of a program of programs/."""
    return [str(pathlib.Path(program("TAUPROF_RELIABILITY_PROGRAMS")) / name), *map(str, arguments)]


def rounds_of(run):
    """How many rounds of device work a program of programs/ says it did: each is one cudaMemsetAsync."""
    return int(run.output.splitlines()[-1].split()[0])


def lines_of_program(run):
    return [line for line in run.errors.splitlines() if not line.startswith(OURS)]


def lines_of_recorder(run):
    return [line for line in run.errors.splitlines() if line.startswith(OURS)]


def run_both(recorder, command, **how):
    """The bare run and the recorded one, which look the same from outside."""
    bare = recorder.run(command, preload=False, **how)
    recorded = recorder.run(command, **how)
    assert_same_outside(bare, recorded)
    return bare, recorded


def assert_same_outside(bare, recorded):
    assert recorded.status == bare.status, recorded.errors
    assert recorded.output == bare.output
    assert lines_of_program(recorded) == lines_of_program(bare)
    assert lines_of_recorder(bare) == []


def calls_of(log, function):
    return sum(row["function"] == function for row in log.rows["call"])


def dropped_calls(log):
    return sum(row["count"] for row in log.rows["drop"] if row["kind"] == "call")
