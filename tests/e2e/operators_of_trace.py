"""Device time by operator, computed a second time from a PyTorch trace, in the plainest way.

By containment: a kernel counts for the operators and annotations that contain the start of the call that launched it,
on that call's thread. By the profiler's own join, of which `key_averages` makes its `self_device_time`: a kernel has the
External id of the operator that was innermost when it was launched. Traces before PyTorch 2.1 have other numbers there.
"""

import collections
import gzip
import json

OPERATORS = ("cpu_op", "user_annotation")
DEVICE_WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def read(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        document = json.load(file)
    return document["traceEvents"] if isinstance(document, dict) else document


def shown(name):
    """As reports name a range: the marks around HTA's and others' names of phases are left out."""
    return name[3:-3] if name.startswith("## ") and name.endswith(" ##") else name


def nanoseconds(microseconds):
    return round(microseconds * 1000)


class Work:
    """A kernel, copy or memset, and the names around its launch: annotations, then operators, the innermost last."""

    def __init__(self, event, around, by_id):
        self.name = event["name"]
        self.start, self.length = nanoseconds(event["ts"]), nanoseconds(event["dur"])
        self.around, self.by_id = around, by_id


def works_of(events):
    """All device work of a trace, by start."""
    events = [event for event in events if event.get("ph") == "X"]
    calls = {event["args"]["correlation"]: event for event in events
             if event.get("cat") in ("cuda_runtime", "cuda_driver") and "correlation" in event.get("args", {})}
    operators = [event for event in events
                 if event.get("cat") in OPERATORS and event["dur"] > 0 and not event["name"].startswith("ProfilerStep#")]
    by_id = {event["args"]["External id"]: shown(event["name"]) for event in operators if "External id" in event.get("args", {})}
    by_thread = collections.defaultdict(list)
    for event in operators:
        by_thread[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"], shown(event["name"]), event["cat"]))
    for of_thread in by_thread.values():
        of_thread.sort(key=lambda one: (one[0], -one[1]))
    works = []
    for event in events:
        if event.get("cat") not in DEVICE_WORK:
            continue
        call = calls.get(event["args"].get("correlation"))
        around = []
        if call is not None:
            found = [(name, category) for start, end, name, category in by_thread[call["pid"], call["tid"]]
                     if start <= call["ts"] < end]
            around = [name for name, category in sorted(found, key=lambda one: one[1] == "cpu_op")]
        works.append(Work(event, around, by_id.get(event["args"].get("External id"))))
    return sorted(works, key=lambda work: (work.start, work.length, work.name))


def times_of(works):
    """{name: [self, total]} of device time; None: outside of all."""
    times = collections.defaultdict(lambda: [0, 0])
    for work in works:
        times[work.around[-1] if work.around else None][0] += work.length
        for name in set(work.around) or {None}:
            times[name][1] += work.length
    return dict(times)


def self_times_by_id(works):
    times = collections.Counter()
    for work in works:
        times[work.by_id] += work.length
    return times
