"""A program that closes the libraries that made its calls: they go as without the recorder, and others may come in
their place."""

import pathlib
import shutil

import pytest

from faults import fault, hostile
from idle_runs import assert_looks_like, assert_losses_are_said, assert_nothing_is_lost, run_idle

# Calls of plugins, beside those that the program counts.
CALLS = {"replace": 6, "address": 6, "runtime": 6, "many": 2000, "busy": 300, "timed": 1}


@pytest.fixture
def plugins(tmp_path):
    """A folder of plugins that the program may replace."""
    built = pathlib.Path(hostile("build1.so")[0]).parent
    folder = tmp_path / "plugins"
    (folder / "private").mkdir(parents=True)
    for name in ("build1.so", "build2.so", "private.so", "private/libcudart.so.12"):
        shutil.copy(built / name, folder / name)
    return folder


@fault("The program closes libraries that have made calls, and opens others in their place", loses="nothing")
@pytest.mark.parametrize("way", CALLS)
def test_a_closed_plugin_is_gone(recorder, plugins, way):
    # private.so finds its runtime beside itself.
    variables = {"LD_LIBRARY_PATH": str(plugins / "private")}
    command = hostile("reloads", way, plugins)
    if way == "timed":
        variables["TAUPROF_DEVICE_TIMING"] = "events"
    if way in ("many", "busy"):
        variables["PLUGIN_SILENT"] = "1"
    if way == "busy":  # how many calls the other thread makes is not the same in two runs
        command = ["sh", "-c", '"$0" "$@" | grep -v calls', *command]
    # In turn: both use the folder.
    bare = run_idle(recorder, command, preload=False, variables=variables)
    run = run_idle(recorder, command, variables=variables)
    assert_looks_like(bare, run)
    if way == "busy":
        assert run.output == "0 wrong answers, 0 left\n"
        assert_losses_are_said(run, CALLS[way])
    else:
        assert_nothing_is_lost(run, calls_of_program(run) + CALLS[way])


def calls_of_program(run):
    [line] = [line for line in run.output.splitlines() if line.endswith(" calls")]
    return int(line.split()[0])
