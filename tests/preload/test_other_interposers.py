"""Other libraries stand before or behind libtauprof.so in LD_PRELOAD. Whatever their order, and whether or not their
symbols have versions, a caller reaches what the dynamic loader binds without libtauprof.so."""

import itertools
import os
import pathlib
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "capture"))

from recorded_log import read_log  # noqa: E402

LIBRARY = os.environ["TAUPROF_PRELOAD"]
PROGRAMS = pathlib.Path(os.environ["TAUPROF_PRELOAD_PROGRAMS"])

NOTHING_FOLLOWS = "-1\n"  # the answer of the shim that forwards
SHIMS = [f"libshim_{kind}.so" for kind in ("plain", "forwarding", "versioned", "two", "choosing")]
RUNTIMES = ["libcudart.so.12", "libcudart.so.13"]
CALLERS = [
    ("asks_runtime_12", "self", "local:libruntime_caller_13.so", "local:libruntime_caller_12.so"),
    ("asks_runtime_13", "self", "local:libruntime_caller_12.so", "global:libshim_two.so", "local:libruntime_caller_13.so"),
    ("asks_runtimes", "local:libruntime_caller_13.so", "local:libruntime_caller_12.so"),
    ("asks_runtimes", "deep:libruntime_caller_13.so", "local:libshimmed_group.so"),
    ("asks_runtimes", "global:libcudart.so.13", "self", "global:libcudart.so.12", "local:libruntime_caller_12.so"),
]


def answers(caller, preloads, folder, **variables):
    program, *opened = caller
    command = [PROGRAMS / program]
    for way, colon, name in (word.partition(":") for word in opened):
        command.append(f"{way}:{PROGRAMS / name}" if colon else way)
    environment = {**os.environ, "TAUPROF_DIR": str(folder / "logs"), "LD_PRELOAD": ":".join(map(str, preloads)),
                   "TAUPROF_DEVICE_TIMING": "off", **variables}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def each_order(most):
    """Preloads and every place that libtauprof.so can have among them."""
    for size in range(most + 1):
        for others in itertools.permutations(SHIMS + RUNTIMES, size):
            yield [PROGRAMS / other for other in others]


def differences(caller, orders, folder, **variables):
    found = []
    for others in orders:
        bare = answers(caller, others, folder)
        if NOTHING_FOLLOWS in bare[1]:
            continue  # dlsym() would find our name, which no library behind it has
        for place in range(len(others) + 1):
            preloads = [*others[:place], LIBRARY, *others[place:]]
            if (seen := answers(caller, preloads, folder, **variables)) != bare:
                found.append(([pathlib.Path(name).name for name in preloads], bare, seen))
    return found


def rows_of_only_log(folder, table):
    [log] = (folder / "logs").glob("*.tauprof")
    return read_log(os.environ["TAUPROF_BIN"], log).rows[table]


@pytest.mark.parametrize("caller", CALLERS)
def test_each_caller_reaches_what_the_loader_binds(caller, tmp_path):
    assert differences(caller, each_order(1), tmp_path) == []


@pytest.mark.parametrize("caller", CALLERS)
def test_a_library_that_is_turned_off_changes_nothing_either(caller, tmp_path):
    assert differences(caller, each_order(2), tmp_path, TAUPROF_ENABLE="0") == []


@pytest.mark.full
@pytest.mark.parametrize("caller", CALLERS)
def test_three_other_libraries_in_every_order(caller, tmp_path):
    assert differences(caller, each_order(3), tmp_path, TAUPROF_ENABLE="0") == []


@pytest.mark.parametrize("first", [12, 13])
def test_hooks_ask_the_library_that_was_called(first, tmp_path):
    """Two copies of cuBLAS, each with handles that the other does not understand."""
    callers = [f"local:libblas_caller_{major}.so" for major in (first, 25 - first)]
    program = ("asks_runtimes", *callers)
    preloads = ([], [LIBRARY])
    bare, recorded = [answers(program, libraries, tmp_path) for libraries in preloads]
    assert recorded == bare == (0, "0\n0\n", "")
    streams = [(row["m"], row["stream"]) for row in rows_of_only_log(tmp_path, "gemm")]
    assert sorted(streams) == [(12, 12000), (13, 13000)]


def test_the_recorder_itself_asks_the_runtime_that_the_program_uses(tmp_path):
    """The runtime that was loaded first is somebody else's."""
    preloads = [LIBRARY, PROGRAMS / "libcudart.so.13"]
    assert answers(("asks_runtimes", "local:libruntime_caller_12.so"), preloads, tmp_path) == (0, "12\n", "")
    versions = [row["value"] for row in rows_of_only_log(tmp_path, "attribute") if row["name"] == "version.cuda_runtime"]
    assert versions == ["12.0"]
