"""A recorded log as Python objects, read from the text of `tauprof dump`."""

from __future__ import annotations

import bisect
import collections
import re
import subprocess
from dataclasses import dataclass, field

FIELD = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)')
HEADER_PID = re.compile(r"\bpid (\d+)")
HOST_CALLS = ("call", "gemm", "collective")


def value_of(text):
    if text.startswith('"'):
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    try:
        return int(text)
    except ValueError:
        return text  # a name from an enumeration


class Row(dict):
    """A record: columns by name. Columns that are 0 are not in the text."""

    def __missing__(self, column):
        return 0


@dataclass
class RecordedLog:
    path: str
    pid: int = -1
    rows: dict = field(default_factory=lambda: collections.defaultdict(list))
    complaints: str = ""  # what dump says about damage
    calls: dict = field(default_factory=dict)  # rows of host calls by correlation id
    groups: dict = field(default_factory=dict)  # by thread: starts of its collectives, and their groups
    captured: dict = field(default_factory=lambda: collections.defaultdict(list))  # by graph: rows of its collectives
    replays: dict = field(default_factory=lambda: collections.defaultdict(list))  # by graph: rows of the collectives that its launches ran
    sites: dict = field(default_factory=dict)  # rows of host calls by (kernel id of the thread, function, nth call of it on the thread)

    def owner(self, correlation):
        """The row of the call that work with this correlation id belongs to, or None."""
        return self.calls.get(self.links.get(correlation, correlation))

    def group_launched_by(self, group_end):
        """The group of the last calls before this ncclGroupEnd on its thread; 0: none."""
        starts, groups = self.groups.get(group_end["thread"], ((), ()))
        before = bisect.bisect_left(starts, group_end["start"])
        return groups[before - 1] if before else 0

    def replay(self, captured, launch):
        """The row of a captured collective in the nth launch of its graph, from 0, or None."""
        of_graph = self.captured[captured["graph"]]
        position = launch * len(of_graph) + next(i for i, row in enumerate(of_graph) if row is captured)
        replays = self.replays[captured["graph"]]
        return replays[position] if position < len(replays) else None

    def number_calls(self):
        os_ids = {row["thread"]: row["os_id"] for row in self.rows["thread"]}
        self.links = {row["correlation"]: row["owner"] for row in self.rows["link"]}
        made = collections.Counter()
        calls = [row for kind in HOST_CALLS for row in self.rows[kind]]
        collectives = {id(row) for row in self.rows["collective"]}
        for row in sorted(calls, key=lambda row: (row["start"], row["correlation"])):
            if row["graph"] and id(row) in collectives:
                (self.replays if row["sequence"] else self.captured)[row["graph"]].append(row)
            if row["graph"] and row["sequence"]:
                continue
            thread = os_ids.get(row["thread"], -1)
            made[thread, row["function"]] += 1
            row["site"] = (thread, row["function"], made[thread, row["function"]])
            self.calls[row["correlation"]] = self.sites[row["site"]] = row
        for row in sorted(self.rows["collective"], key=lambda row: row["start"]):
            starts, groups = self.groups.setdefault(row["thread"], ([], []))
            starts.append(row["start"])
            groups.append(row["group"])


def read_log(tauprof, path):
    done = subprocess.run([tauprof, "dump", str(path)], capture_output=True, text=True, errors="replace", check=False)
    recorded = RecordedLog(str(path), complaints=done.stderr.strip())
    for line in done.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "#":
            if found := HEADER_PID.search(rest):
                recorded.pid = int(found.group(1))
        elif kind != "string":
            recorded.rows[kind].append(Row((name, value_of(text)) for name, text in FIELD.findall(rest)))
    recorded.number_calls()
    return recorded
