"""Checks that a directory of truth files is complete, and consistent within each process and across ranks.

    python3 -m simgpu_truth.check DIR

Prints a line for every fault and a summary. The exit status is 1 if there are faults, 2 if DIR contains no truth.
"""

from __future__ import annotations

import argparse
import collections
import sys

from .announcement_checks import announcement_faults
from .collective_checks import collective_faults
from .model import Process
from .reader import FormatError, read_directory
from .span_checks import WANDER_NS, span_faults


def faults(processes: list[Process], killed: int = 0, wander_ns: int = WANDER_NS):
    """Yields a line for every fault. Up to `killed` processes may lack their end."""
    unended = [process for process in processes if process.end is None]
    if len(unended) > killed:
        yield from (f"{process.file}: has no end: the process did not exit in order" for process in unended)
    for process in processes:
        yield from completeness_faults(process)
        yield from span_faults(process, wander_ns)
        yield from announcement_faults(process)
    yield from collective_faults(processes)


def completeness_faults(process):
    if process.pid < 0:
        yield f"{process.file}: does not say whose it is"
    if process.end is not None:
        late = sum(span.end > process.end for span in process.spans)
        if late:
            yield f"{process.file}: {late} spans end after the end of the process"


def counted(things) -> str:
    counts = collections.Counter(things)
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


def summary(processes: list[Process]) -> str:
    spans = [span for process in processes for span in process.spans]
    parts = [part for process in processes for part in process.collectives]
    length = (max(span.end for span in spans) - min(span.start for span in spans)) / 1e9 if spans else 0
    steps = counted(entry.what for process in processes for entry in process.announcements if entry.begins)
    return "\n".join((
        f"processes      {len(processes)}, of them {sum(p.end is not None for p in processes)} ended in order",
        f"spans          {counted(span.kind for span in spans)}; over {length:.3f} s",
        f"collectives    {counted(part.operation for part in parts)}",
        f"communicators  {len({part.communicator for part in parts})}",
        f"announced      {steps}",
        f"injections     {counted(strike.what for process in processes for strike in process.injections)}",
    ))


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog="simgpu_truth.check", description="Checks the simulator's truth files.")
    parser.add_argument("directory", metavar="DIR")
    parser.add_argument("--killed", type=int, default=0, metavar="N", help="so many processes may lack their end")
    parser.add_argument("--wander-us", type=float, default=WANDER_NS / 1000, metavar="X",
                        help="as the option wander_us of the run (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        processes = read_directory(given.directory)
    except (FormatError, OSError) as error:
        print(error)
        return 1
    if not processes:
        print(f"{given.directory}: no truth-*.tsv here", file=sys.stderr)
        return 2
    found = list(faults(processes, given.killed, round(given.wander_us * 1000)))
    for line in found:
        print(line)
    print(summary(processes))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
