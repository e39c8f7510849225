"""Code that comes and goes while the program runs: a library that calls CUDA from its static initialiser, and a plugin
that is unloaded and replaced."""

from check import Check, Lacked
from pieces import PROGRAMS

SETS_AT_LOAD, SETS_OF_PLUGINS = 10, 2
HANGS_AFTER_S = 40  # a process may take ten to start


def run_both(trial, way, *libraries):
    """The bare run and the recorded one, which look the same from outside; neither may hang."""
    command = [trial.python, PROGRAMS / "loads_libraries.py", trial.runtimes()[0]["library"], way,
               *(trial.native(name) for name in libraries)]
    bare = trial.runs.run(command, recorded=False, timeout=HANGS_AFTER_S)
    if bare.timed_out:
        raise Lacked("a driver that can be called while a library is loaded")
    recorded = trial.runs.run(command, timeout=HANGS_AFTER_S)
    trial.expect("the recorded run does not hang", not recorded.timed_out)
    trial.expect_same_outside(bare, recorded)
    trial.note(bare=bare.output.splitlines(), recorded=recorded.output.splitlines())
    return bare, recorded


def expect_sets(trial, run, sets):
    log = None if run.timed_out else trial.only_log(run)
    if log:
        trial.expect_silence(run)
        trial.expect(f"each of {sets} sets is in the log ({len(log.work('memset'))})", len(log.work("memset")) == sets)


def look_at_load(trial):
    bare, recorded = run_both(trial, "at-load", "calls_at_load.so")
    trial.expect("the library's calls succeed without us", "library answers 0" in bare.output.splitlines())
    expect_sets(trial, recorded, SETS_AT_LOAD)


def expect_two_builds(trial, way, lines):
    told = [line for line in lines if line.startswith(("plugin answers", "still"))]
    trial.expect(f"each build answers once and is unloaded {way} ({told})", told == [
        "plugin answers 101", "still mapped: False", "plugin answers 201", "still mapped: False"])


def look_at_plugin(trial):
    bare, recorded = run_both(trial, "plugin", "plugin1.so", "plugin2.so")
    for way, run in (("without us", bare), ("with us", recorded)):
        expect_two_builds(trial, way, run.output.splitlines())
    expect_sets(trial, recorded, SETS_OF_PLUGINS)


CHECKS = (
    Check("calls-at-load", "A library whose static initialiser waits for a thread that calls CUDA can be loaded.",
          look_at_load, 200),
    Check("plugin-unloaded", "A plugin that called CUDA is unloaded by dlclose, and a newer build takes its place.",
          look_at_plugin, 200),
)
