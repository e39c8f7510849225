"""Reduces the logs of a large run on many machines, and analyses what they leave:

    python -m tauprof.cluster analyze LOGS -o DIR [--engine local|mpi|dask] [-- OPTIONS OF tauprof analyze]

A task is one call of `tauprof reduce` for the logs of one host. Whatever is a concurrent.futures.Executor can run them:
processes of this machine, mpi4py's, or Dask's. DIR gets the timelines. What is there already is not made again, so a
second call does only what the first one did not.
"""

import argparse
import concurrent.futures
import contextlib
import os
import subprocess
import sys

from tauprof import command

SUFFIX = ".tauprof"
HOST = slice(176, 304)  # of a log's header (docs/log-format.md)


def logs_by_host(folder):
    """The names of the logs in a folder, by the host that they are of."""
    hosts = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(SUFFIX) or name.startswith("."):
            continue
        with open(os.path.join(folder, name), "rb") as log:
            host = log.read(HOST.stop)[HOST].split(b"\0")[0]
        hosts.setdefault(host, []).append(name)
    return hosts


def reduce_host(folder, names, output, program):
    """Runs where the engine says. Returns the exit status and what was said."""
    done = subprocess.run([program, "reduce", folder, "--only", "-", "-o", output], input="\n".join(names).encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace").strip()


@contextlib.contextmanager
def local_engine(arguments):
    # Each call is a program of its own, which works on several logs at a time.
    with concurrent.futures.ThreadPoolExecutor(arguments.workers or 1) as executor:
        yield executor


@contextlib.contextmanager
def mpi_engine(arguments):
    from mpi4py.futures import MPICommExecutor

    with MPICommExecutor(max_workers=arguments.workers) as executor:
        yield executor  # None in the processes that work for it


@contextlib.contextmanager
def dask_engine(arguments):
    from distributed import Client

    options = {"scheduler_file": arguments.scheduler_file} if arguments.scheduler_file else {"n_workers": arguments.workers}
    with Client(**options) as client:
        yield client.get_executor(pure=False)


ENGINES = {"local": local_engine, "mpi": mpi_engine, "dask": dask_engine}
PACKAGES = {"mpi": "mpi4py", "dask": "dask[distributed]"}


def reduce_all(executor, arguments):
    """Returns the hosts whose logs could not all be reduced."""
    try:
        hosts = logs_by_host(arguments.logs)
    except OSError as error:
        sys.exit("tauprof: {}: {}; name the folder of a run's logs".format(error.filename, error.strerror))
    if not hosts:
        sys.exit("tauprof: {}: no *{} files; name the folder of a run's logs".format(arguments.logs, SUFFIX))
    tasks = {executor.submit(reduce_host, arguments.logs, names, arguments.output, command.path()): host
             for host, names in hosts.items()}
    failed = []
    for done in tasks:
        host = tasks[done].decode("utf-8", "replace")
        try:
            status, said = done.result()
        except Exception as error:  # of the engine: a worker is gone
            status, said = 1, "{}: {}".format(type(error).__name__, error)
        if status != 0:
            failed.append(host)
            print("tauprof: host {}: {}".format(host or "(unknown)", said), file=sys.stderr)
    return failed


def main(words=None):
    parser = argparse.ArgumentParser(prog="python -m tauprof.cluster", description=__doc__.split("\n\n")[0])
    parser.add_argument("action", choices=["reduce", "analyze"], help="reduce: make timelines only")
    parser.add_argument("logs", help="the folder of the run's logs, as every worker sees it")
    parser.add_argument("-o", "--output", required=True, help="folder for the timelines, as every worker sees it")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="local")
    parser.add_argument("--workers", type=int, help="hosts at a time (default: the engine's)")
    parser.add_argument("--scheduler-file", help="of a running Dask scheduler")
    words = sys.argv[1:] if words is None else list(words)
    end = words.index("--") if "--" in words else len(words)
    arguments, rest = parser.parse_args(words[:end]), words[end + 1:]
    try:
        with ENGINES[arguments.engine](arguments) as executor:
            if executor is None:
                return 0
            failed = reduce_all(executor, arguments)
    except ImportError as error:
        sys.exit("tauprof: {} is missing; pip install '{}'".format(error.name, PACKAGES[arguments.engine]))
    if failed:
        print("tauprof: {} of the hosts' logs are not all reduced; the same call again does what is missing".format(
            len(failed)), file=sys.stderr)
    if arguments.action == "analyze":
        return command.run("analyze", arguments.output, *rest).returncode or (4 if failed else 0)
    return 4 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
