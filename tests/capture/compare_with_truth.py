#!/usr/bin/env python3
"""Compares a directory of logs with what really happened on the simulated devices.

    compare_with_truth.py LOGS TRUTH

The log of each process must contain each span of the truth exactly once, with its times on the device's clock, its
stream and the call that launched it. It must contain each collective with its communicator, rank, order, peer and size.
It must contain nothing else, and no drops. Prints one line per fault. Exit status 1: there are faults; 2: there is
nothing to compare.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "simgpu" / "truth")]

from recorded_log import read_log  # noqa: E402
from simgpu_truth.reader import read_directory  # noqa: E402

ACTIVITIES = {"kernel": "kernel", "collective": "kernel", "memcpy": "memcpy", "memset": "memset", "graph": "graph"}
OPERATIONS = {"AllReduce": "all_reduce", "AllGather": "all_gather", "ReduceScatter": "reduce_scatter",
              "AlltoAll": "all_to_all", "AllToAll": "all_to_all", "Broadcast": "broadcast", "Bcast": "broadcast",
              "Reduce": "reduce", "Gather": "gather", "Scatter": "scatter", "Send": "send", "Recv": "receive"}
POINT_TO_POINT = {"send", "receive"}
ROOTED = POINT_TO_POINT | {"broadcast", "reduce", "gather", "scatter"}
TIMES_RANKS = {"all_gather", "reduce_scatter", "all_to_all", "gather", "scatter"}
TYPE_BYTES = {"int8": 1, "uint8": 1, "float8_e4m3": 1, "float8_e5m2": 1, "float16": 2, "bfloat16": 2, "int32": 4,
              "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8}
MOST_LINES = 20  # per kind of fault and process


class Faults:
    """Collects faults, one line each, up to MOST_LINES of a kind."""

    def __init__(self):
        self.lines = []
        self.counts = collections.Counter()

    def add(self, where, kind, text):
        self.counts[where, kind] += 1
        if self.counts[where, kind] <= MOST_LINES:
            self.lines.append(f"{where}: {kind}: {text}")

    def all(self):
        more = (f"{where}: {kind}: and {count - MOST_LINES} more"
                for (where, kind), count in self.counts.items() if count > MOST_LINES)
        return [*self.lines, *more]


def is_recorded(span, with_graph_nodes):
    """A graph launch is recorded either as a whole or by its nodes."""
    if with_graph_nodes:
        return span.kind != "graph"
    return span.graph_node == 0


def span_text(span):
    return (f"{span.kind} {span.name[:60]!r} on device {span.device} stream {span.stream}, {span.device_start} to "
            f"{span.device_end}, by {span.call.function} {span.call.nth} of thread {span.call.thread}")


def row_text(row):
    return (f"{row['activity']} {str(row['name'])[:60]!r} on device {row['device']} stream {row['stream']}, "
            f"{row['start']} to {row['start'] + row['duration']}, correlation {row['correlation']}")


def compare_spans(process, recorded, with_graph_nodes, faults):
    """Pairs spans by device, activity and times; everything else must agree."""
    rows = collections.defaultdict(list)
    for row in recorded.rows["device_activity"]:
        if row["activity"] != "synchronization":
            rows[row["device"], row["activity"], row["start"], row["start"] + row["duration"]].append(row)
    for span in process.spans:
        if not is_recorded(span, with_graph_nodes):
            continue
        key = (span.device, ACTIVITIES[span.kind], span.device_start, span.device_end)
        candidates = rows.get(key, [])
        if not candidates:
            if process.end is not None:
                faults.add(process.file, "span not in the log", span_text(span))
            continue
        row = next((row for row in candidates if row["stream"] == span.stream), candidates[0])
        candidates.remove(row)
        compare_span(process, recorded, span, row, faults)
    for left in rows.values():
        for row in left:
            faults.add(process.file, "in the log, not in the truth", row_text(row))


def compare_span(process, recorded, span, row, faults):
    for field, true in (("stream", span.stream), ("context", span.context)):
        if row[field] != true:
            faults.add(process.file, f"wrong {field}", f"{row[field]} for {span_text(span)}")
    if span.kind in ("kernel", "collective") and row["name"] != span.name:
        faults.add(process.file, "wrong name", f"{row['name']!r} for {span_text(span)}")
    if span.kind in ("memcpy", "memset") and row["bytes"] != span.bytes:
        faults.add(process.file, "wrong size", f"{row['bytes']} for {span_text(span)}")
    owner = recorded.owner(row["correlation"])
    true = (span.call.thread, span.call.function, span.call.nth)
    if owner is None:
        if process.end is not None:
            faults.add(process.file, "span without its call", span_text(span))
    elif owner["site"] != true and not is_group_of(recorded, owner, true):
        thread, function, nth = owner["site"]
        faults.add(process.file, "wrong call", f"{function} {nth} of thread {thread} for {span_text(span)}")


def is_group_of(recorded, owner, site):
    """The truth assigns a group's kernel to one of the group's calls, the log to the group end that launched it."""
    call = recorded.sites.get(site)
    if call is None or owner["function"] != "ncclGroupEnd" or owner["site"][0] != site[0]:
        return False
    return call["group"] != 0 and call["group"] == recorded.group_launched_by(owner)


def part_text(part):
    return (f"{part.operation} {part.sequence} of {part.communicator}, rank {part.rank}, by {part.call.function} "
            f"{part.call.nth} of thread {part.call.thread}")


def compare_collectives(process, recorded, identities, faults):
    rows = {row["site"]: row for row in recorded.rows["collective"] if "site" in row}
    communicators = {row["communicator"]: row for row in recorded.rows["communicator"]}
    ran = {(part.call.thread, part.call.function, part.call.nth) for part in process.collectives}
    ran_by = {}  # by part: its row
    launches = collections.Counter()  # by captured call: launches of its graph so far
    for part in sorted(process.collectives, key=lambda part: part.sequence):
        site = (part.call.thread, part.call.function, part.call.nth)
        row = rows.get(site)
        if row is not None and row["graph"]:  # captured by this call, run by launches of the graph
            row = recorded.replay(row, launches[site])
            launches[site] += 1
        if row is not None:
            ran_by[id(part)] = row
            compare_collective(process, part, row, communicators.get(row["communicator"]), identities, faults)
        elif process.end is not None:
            faults.add(process.file, "collective not in the log", part_text(part))
    alone = {number for number, communicator in communicators.items() if communicator["size"] == 1}
    for site in rows.keys() - ran:
        if rows[site]["communicator"] in alone:  # NCCL returns without a collective
            continue
        if process.end is not None and rows[site]["result"] == 0 and not rows[site]["graph"]:
            faults.add(process.file, "collective in the log, not in the truth",
                       f"{site[1]} {site[2]} of thread {site[0]}")
    for graph, replays in recorded.replays.items():
        launched = sum(launches[row["site"]] for row in recorded.captured[graph])
        if process.end is not None and len(replays) != launched:
            faults.add(process.file, "collective in the log, not in the truth", f"of graph {graph}")
    compare_order(process, ran_by, faults)


def compare_collective(process, part, row, communicator, identities, faults):
    operation = OPERATIONS[part.operation]
    checks = [("operation", row["operation"], operation)]
    if operation in ROOTED:
        checks.append(("peer", row["peer"] - 1, part.peer))
    if row["datatype"] in TYPE_BYTES and operation in OPERATIONS.values():
        size = row["count"] * TYPE_BYTES[row["datatype"]] * (part.ranks if operation in TIMES_RANKS else 1)
        checks.append(("bytes", size, part.bytes))
    if communicator is None:
        faults.add(process.file, "collective without a communicator", part_text(part))
    else:
        checks += [("rank", communicator["rank"], part.rank), ("ranks", communicator["size"], part.ranks),
                   ("communicator", communicator["identity"],
                    identities.setdefault(part.communicator, communicator["identity"]))]
    for what, recorded, true in checks:
        if recorded != true:
            faults.add(process.file, f"wrong {what}", f"{recorded}, not {true}: {part_text(part)}")


def compare_order(process, rows, faults):
    """Sequence numbers follow the order of the communicator's collectives. The truth numbers sends and receives by
    peer, so only the others are compared."""
    by_communicator = collections.defaultdict(list)
    for part in process.collectives:
        if id(part) in rows and OPERATIONS[part.operation] not in POINT_TO_POINT:
            by_communicator[part.communicator, part.rank].append((part.sequence, rows[id(part)]["sequence"], part))
    for pairs in by_communicator.values():
        pairs.sort(key=lambda pair: pair[0])
        for (_, before, _), (_, after, part) in zip(pairs, pairs[1:]):
            if after <= before:
                faults.add(process.file, "wrong order", f"number {after} after {before}: {part_text(part)}")


def compare_losses(process, recorded, faults):
    for row in recorded.rows["drop"]:
        faults.add(process.file, "drop", f"{row['count']} {row['kind']}: {row['reason']}")
    for row in recorded.rows["gap"]:
        end = row["start"] + row["duration"]
        if any(row["start"] <= span.submitted < end for span in process.spans):
            faults.add(process.file, "gap", f"{row['duration']} ns of {row['scope']}: {row['reason']}")
    if recorded.complaints and (process.end is not None or "damage" in recorded.complaints):
        faults.add(process.file, "log", recorded.complaints.splitlines()[0])


def compare(logs, processes, with_graph_nodes, may_lose):
    faults = Faults()
    by_pid = {recorded.pid: recorded for recorded in logs}
    identities = {}
    for process in processes:
        recorded = by_pid.pop(process.pid, None)
        if recorded is None:
            if process.spans or process.collectives:
                faults.add(process.file, "no log", f"of process {process.pid}")
            continue
        if not may_lose:
            compare_losses(process, recorded, faults)
        compare_spans(process, recorded, with_graph_nodes, faults)
        compare_collectives(process, recorded, identities, faults)
    for pid, recorded in by_pid.items():
        if recorded.rows["device_activity"]:
            faults.add(recorded.path, "no truth", f"of process {pid}")
    names = collections.defaultdict(list)
    for name, identity in identities.items():
        names[identity].append(name)
    for identity, same in names.items():
        if len(same) > 1:
            faults.add("logs", "communicators with one identity", f"{identity}: {', '.join(same)}")
    return faults.all()


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Compares logs with the truth of the simulated devices.")
    parser.add_argument("logs", metavar="LOGS", type=pathlib.Path)
    parser.add_argument("truth", metavar="TRUTH", type=pathlib.Path)
    parser.add_argument("--tauprof", default=os.environ.get("TAUPROF_BIN", "tauprof"), help="the tauprof command")
    parser.add_argument("--graph-nodes", action="store_true", help="recorded with TAUPROF_CAPTURE=…,graph-nodes")
    parser.add_argument("--may-lose", action="store_true", help="drops and gaps are no faults")
    given = parser.parse_args(arguments)
    logs = [read_log(given.tauprof, path) for path in sorted(given.logs.glob("*.tauprof"))]
    processes = read_directory(given.truth)
    if not logs or not processes:
        print(f"{given.logs} holds {len(logs)} logs and {given.truth} {len(processes)} truths", file=sys.stderr)
        return 2
    faults = compare(logs, processes, given.graph_nodes, given.may_lose)
    for line in faults:
        print(line)
    spans = sum(is_recorded(span, given.graph_nodes) for process in processes for span in process.spans)
    collectives = sum(len(process.collectives) for process in processes)
    print(f"{len(processes)} processes, {spans} spans, {collectives} collectives: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
