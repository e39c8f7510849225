"""Runs tauprof on this machine's GPUs, and says what is not as it should be.

Each check passes, fails, measures something without a bound, or lacks something of this machine; none can take the
others along. The result file is there from the first moment, so an interruption costs only what was not looked at yet.
Exit status: 0 nothing failed; 1 something failed; 2 wrong use; 130 interrupted, and nothing had failed.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import pieces as parts
from check import FAILED
from check_list import CHECKS, selected, unknown
from isolation import Checks, Interrupted
from machine import describe_machine
from one_check import write_settings
from result_file import ResultFile
from summary import closing_lines, machine_lines, progress_line

INTERRUPTED_STATUS = 130


def add_options(parser):
    parser.add_argument("--out", metavar="FILE", help="the result file (default: tauprof-acceptance-DATE.json here)")
    parser.add_argument("--python", default=sys.executable, help="a Python that has PyTorch (default: this one)")
    parser.add_argument("--only", metavar="CHECK", action="append", default=[],
                        help="only checks of this name or pattern ('scenario-*'); may be repeated")
    parser.add_argument("--list", action="store_true", help="list the checks and end")
    parser.add_argument("--jobs", type=int, choices=range(1, 100), metavar="N", default=1,
                        help="checks at the same time, but for those that are about time (default: 1)")
    parser.add_argument("--minutes", type=positive, default=10, metavar="N",
                        help="how long cpu-time watches (default: 10)")
    parser.add_argument("--rounds", type=int, choices=range(1, 100), metavar="N", default=3,
                        help="bare and recorded runs in turns (default: 3)")
    parser.add_argument("--seconds", type=positive, default=3, metavar="N",
                        help="how long each launch rate of the overhead runs; toggle, toggle-torch and cupti-cost take "
                             "about 20 times as long (default: 3)")
    parser.add_argument("--keep", action="store_true", help="keep the logs and the output of all runs")


def positive(text):
    value = float(text)
    if not 0 < value < 1e5:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return value


def raise_interrupted(number, _):
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # the second would interrupt the clearing up
    raise Interrupted(signal.Signals(number).name)


def result_path(options):
    return pathlib.Path(options.out or time.strftime("tauprof-acceptance-%Y%m%d-%H%M%S.json")).absolute()


def look_at_all(checks, result, settings, pieces, workplace):
    """Returns the name of the signal that interrupted it, or None."""
    at_work = Checks(checks, settings, workplace, settings["jobs"])
    try:
        machine = describe_machine(settings["python"])
        result.tell(machine=machine)
        print(*machine_lines(machine), sep="\n", flush=True)
        write_settings(workplace, settings, machine, pieces)
        for outcome in at_work.outcomes():
            result.add(outcome)
            print(progress_line(outcome), flush=True)
    except Interrupted as interruption:
        for outcome in at_work.interrupt(str(interruption)):
            result.add(outcome)
        return str(interruption)
    return None


def accept(options, pieces, parser):
    if options.list:
        print(*(f"{check.name:<28} {check.claim}" for check in CHECKS), sep="\n")
        return 0
    if unknown(options.only):
        parser.error(f"no check is called {', '.join(unknown(options.only))}; --list lists them")
    if not shutil.which(options.python):
        parser.error(f"--python {options.python}: no such program")
    if pieces.missing():
        parser.error(f"{', '.join(pieces.missing())} is missing: build it first")
    checks = selected(options.only)
    settings = {"python": shutil.which(options.python), "minutes": options.minutes, "rounds": options.rounds,
                "seconds": options.seconds, "only": options.only, "keep": options.keep, "jobs": options.jobs}
    try:
        result = ResultFile(result_path(options), checks, settings, pieces.made_of)
    except OSError as error:
        parser.error(f"the result cannot be written: {error}")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, raise_interrupted)
    workplace = pathlib.Path(tempfile.mkdtemp(prefix="tauprof-acceptance-runs-"))
    interrupted_by = look_at_all(checks, result, settings, pieces, workplace)
    result.tell(interrupted_by=interrupted_by)
    print(*closing_lines(result), sep="\n", flush=True)
    if options.keep:
        print(f"logs and output: {workplace}")
    else:
        shutil.rmtree(workplace, ignore_errors=True)
    if result.of(FAILED):
        return 1
    return INTERRUPTED_STATUS if interrupted_by else 0


def main():
    """Of an unpacked bundle; of a build folder: scripts/gpu-acceptance."""
    parser = argparse.ArgumentParser(prog="bash tauprof-acceptance.run", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    try:
        status = accept(parser.parse_args(), parts.of_bundle(), parser)
    finally:
        shutil.rmtree(parts.ROOT, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
