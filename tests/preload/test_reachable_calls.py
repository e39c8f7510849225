"""The calls that a hook can reach: on the program's thread it neither ends the process, asks the loader nor changes the
environment.

While a constructor runs, its thread holds a lock of the loader's; dlopen, dlsym and dladdr wait for it. setenv and
putenv move what other threads read. The graph of all calls is read from the object files (call_graph.py); a failure
prints the chain of functions."""

import os
import platform
import subprocess

import pytest

from call_graph import read_graph, readable

ENDS = {"exit", "_exit", "_Exit", "quick_exit", "abort", "exit_group"}
LOADER = {"dlopen", "dlmopen", "dlclose", "dlsym", "dlvsym", "dladdr", "dladdr1", "dlinfo", "dlerror"}
ENVIRONMENT = {"setenv", "putenv", "unsetenv", "clearenv"}
# Functions that run on a thread of ours are another matter: they are handed to one of these.
STARTS_A_THREAD = ("pthread_create", "load_elsewhere")
OWN_THREADS = {"run", "run_thread", "serve", "ask", "load_first", "load_later"}
LIBRARY = os.environ["TAUPROF_PRELOAD"]


@pytest.fixture(scope="module")
def graph():
    if platform.machine() != "x86_64":
        pytest.skip("the reader of object files is for x86-64")
    return read_graph(os.environ["TAUPROF_PRELOAD_OBJECTS"].split(":"))


@pytest.fixture(scope="module")
def entries(graph):
    """The exported functions: hooks and entries for injection."""
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    names = {line.split()[2] for line in lines.splitlines() if line.split()[1] in "TW"}
    assert sum(name in graph.references for name in names) > 400, "the object files are not those of the library"
    return sorted(names)


def thread_roots(graph):
    starters = [name for name, others in graph.references.items()
                if any(start in other for other in others for start in STARTS_A_THREAD)]
    assert starters
    handed = {other for name in starters for other in graph.references[name]}
    return {name for name in handed if short_name(name) in OWN_THREADS}


def short_name(name):
    """Without namespaces and parameters."""
    return readable([name])[0].replace("(anonymous namespace)::", "").split("(")[0].rsplit("::", 1)[-1]


def chains(graph, roots, forbidden, passes):
    """One chain for each last link, the shortest of all roots."""
    found = {}
    for root in roots:
        for name in sorted(forbidden):
            chain = graph.chain(root, {name}, passes)
            if chain and len(found.get(tuple(chain[-2:]), [None] * 1000)) > len(chain):
                found[tuple(chain[-2:])] = chain
    return [" → ".join(readable(chain)) for chain in found.values()]


def test_threads_of_ours_are_told_from_the_programs(graph):
    assert len(thread_roots(graph)) >= 2


@pytest.mark.parametrize("forbidden", [ENDS, LOADER, ENVIRONMENT], ids=["ends", "loader", "environment"])
def test_hooks_do_not_reach(graph, entries, forbidden):
    # The driver calls this entry from cuInit, on the thread on which it has just opened us.
    of_driver = {"InitializeInjection"} if forbidden is LOADER else set()
    reached = chains(graph, [name for name in entries if name not in of_driver], forbidden,
                     thread_roots(graph).__contains__)
    assert not reached, "\n".join(["", *reached])


def test_loading_the_library_changes_no_environment(graph):
    constructors = sorted(name for name in graph.references if name.startswith((".init_array", ".fini_array")))
    assert constructors
    reached = chains(graph, constructors, ENDS | ENVIRONMENT, thread_roots(graph).__contains__)
    assert not reached, "\n".join(["", *reached])


def test_threads_of_ours_do_not_end_the_process(graph):
    reached = chains(graph, sorted(thread_roots(graph)), ENDS | ENVIRONMENT, lambda name: False)
    assert not reached, "\n".join(["", *reached])
