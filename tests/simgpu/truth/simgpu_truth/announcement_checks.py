"""Faults in what a program announced: the steps and phases of each thread must nest."""

from __future__ import annotations

import collections

from .model import Process


def announcement_faults(process: Process):
    """Yields a line for every fault."""
    open_by_thread = collections.defaultdict(list)
    times = {}
    for entry in process.announcements:
        name = f"{process.file}: thread {entry.thread}: {entry.what} {entry.index}"
        if entry.time < times.get(entry.thread, entry.time):
            yield f"{name} goes back in time"
        times[entry.thread] = entry.time
        stack = open_by_thread[entry.thread]
        if entry.begins:
            stack.append((entry.what, entry.index))
        elif stack and stack[-1] == (entry.what, entry.index):
            stack.pop()
        else:
            inner = "nothing is open" if not stack else "{} {} is open".format(*stack[-1])
            yield f"{name} ends where {inner}"
    if process.end is not None:
        for thread, stack in open_by_thread.items():
            for what, index in stack:
                yield f"{process.file}: thread {thread}: {what} {index} has no end"
