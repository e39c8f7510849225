"""Computes what the report of a run must say from the truth of the simulated devices: steps, ledger, overlap, phases and
waits, as simply as possible.

Steps and phases are those that the program announced. Each announcement surrounds a range, and a thread may lose its
processor between the two; so how long the host took is what the recorded range says that lies in the announcement. Times are on the devices' clocks; runs that are compared with
these numbers have clocks that do not wander, so the host's clock shows the same.
"""

from __future__ import annotations

import bisect
import collections
import statistics

from oracle import intervals

PHASES = {"phase:h2d": "h2d", "phase:forward": "forward", "phase:backward": "backward", "phase:optimizer": "optim_step"}
CLASSES = {"kernel": "compute", "collective": "comm", "memcpy": "copy", "memset": "copy"}


class RankTruth:
    """One process: its steps, their spans, and their device windows, which leave no gaps."""

    def __init__(self, process, ranges=()):
        """`ranges`: those of its log, none if the program marks nothing."""
        self.process = process
        self.ranges = [(row["name"], row["start"], row["start"] + row["duration"]) for row in ranges]
        markers = [(start, end) for name, start, end in self.ranges if name.startswith("step ")]
        self.marked = (min(markers)[0], max(end for _, end in markers)) if markers else None
        self.parts = collections.defaultdict(list)  # by span: the calls of a group share one
        for part in process.collectives:
            if part.ranks > 1:
                self.parts[part.span].append(part)
        steps = [entry for entry in process.announcements if entry.what == "step"]
        self.main_thread = steps[0].thread
        self.starts = [entry.time for entry in steps if entry.begins]
        self.end = max(entry.time for entry in steps)
        self.spans = [span for span in process.spans if span.kind in CLASSES and self.step_of(span) is not None]
        self.windows = self.find_windows()

    def step_of(self, span):
        step = bisect.bisect_right(self.starts, span.submitted) - 1
        return step if step >= 0 and span.submitted < self.end else None

    def main_stream(self):
        """The stream with the most compute time; other streams run ahead of the steps."""
        computing = collections.Counter()
        for span in self.spans:
            if CLASSES[span.kind] == "compute":
                computing[span.stream] += span.end - span.start
        return max(computing, key=computing.get)

    def find_windows(self):
        main = self.main_stream()
        starts = [min(span.start for span in self.spans if self.step_of(span) == 0)]
        for step in range(1, len(self.starts)):
            starts.append(min(span.start for span in self.spans if span.stream == main and self.step_of(span) == step))
        ends = [*starts[1:], max(span.end for span in self.spans)]
        if self.marked:
            starts[0], ends[-1] = min(starts[0], self.marked[0]), max(ends[-1], self.marked[1])
        return list(zip(starts, ends))

    def clipped(self, kind, window):
        return intervals.clip([(span.start, span.end) for span in self.spans if CLASSES[span.kind] == kind], window)

    def communicating(self, shortest):
        """(span, the time from which on it moves data, its parts). `shortest`: see shortest_spans."""
        return [(span, max(span.end - shortest.get(unit_of(self.parts[span.id]), span.end - span.start),
                           *(part.ready for part in self.parts[span.id])), self.parts[span.id])
                for span in self.spans if span.id in self.parts]

    def transferring(self, window, shortest):
        return intervals.clip([(ready, span.end) for span, ready, _ in self.communicating(shortest)], window)

    def ledger(self, window, shortest):
        """Compute time; exposed transfer, wait and copy time; idle time. They sum to the window."""
        layers = [self.clipped("compute", window), self.transferring(window, shortest), self.clipped("comm", window),
                  self.clipped("copy", window)]
        rows, covered = [], []
        for layer in layers:
            rows.append(intervals.length(covered + layer) - intervals.length(covered))
            covered = covered + layer
        return [*rows, window[1] - window[0] - sum(rows)]

    def announced(self, what):
        """(thread, start, end) of each announcement of the phase."""
        open_at, found = {}, []
        for entry in self.process.announcements:
            if entry.what != what:
                continue
            if entry.begins:
                open_at[entry.index] = entry
            else:
                found.append((entry.thread, open_at[entry.index].time, entry.time))
        return found

    def device_time(self, what, window):
        ranges = self.announced(what)
        spans = [(span.start, span.end) for span in self.spans
                 if any(thread == span.call.thread and start <= span.submitted < end for thread, start, end in ranges)]
        return intervals.length(intervals.clip(spans, window))

    def range_within(self, name, start, end):
        [found] = [(first, last) for known, first, last in self.ranges
                   if known == name and start <= first and last <= end]
        return found

    def host_time(self, what, step):
        """By the program's own clock."""
        return sum(end - start for start, end in self.on_main_thread(what, step))

    def recorded_host_time(self, what, step):
        ranges = [self.range_within(what.partition(":")[2], *bounds) for bounds in self.on_main_thread(what, step)]
        return sum(end - start for start, end in ranges)

    def on_main_thread(self, what, step):
        bounds = (self.starts[step], [*self.starts[1:], self.end][step])
        return [(start, end) for thread, start, end in self.announced(what)
                if thread == self.main_thread and bounds[0] <= start < bounds[1]]

    def recorded_steps(self):
        """The length of each step on the host: from marker to marker, and to the end of the last."""
        markers = [self.range_within(f"step {step}", start, end)
                   for step, (_, start, end) in enumerate(self.announced("step"))]
        starts = [start for start, _ in markers]
        return [end - start for start, end in zip(starts, [*starts[1:], markers[-1][1]])]


def ranks_of(run, processes):
    """The truth of each process, with the ranges of its log."""
    ranges = {log.pid: log.rows["range"] for log in run.read_logs()}
    return [RankTruth(process, ranges.get(process.pid, ())) for process in processes]


ALL_PAIRS = {"AllReduce", "AllGather", "ReduceScatter", "AllToAll"}


def unit_of(parts):
    """The values that the parts of one span on each member have in common."""
    return parts[0].communicator, parts[0].operation, min(part.sequence for part in parts)


def shortest_spans(ranks):
    """{unit: the shortest span of its members}, where all need all: nobody moves data for longer. Sends and receives do
    if a group has them for every other member."""
    shortest = {}
    for rank in ranks:
        for span in rank.spans:
            parts = rank.parts.get(span.id)
            if parts and (parts[0].operation in ALL_PAIRS or len(parts) >= 2 * (parts[0].ranks - 1) > 1):
                length = span.end - span.start
                shortest[unit_of(parts)] = min(shortest.get(unit_of(parts), length), length)
    return shortest


def step_durations(ranks):
    """For each step, the mean length of the ranks' windows."""
    return [statistics.fmean(end - start for start, end in windows) for windows in zip(*(rank.windows for rank in ranks))]


def ledger(ranks):
    shortest = shortest_spans(ranks)
    rows = [rank.ledger(window, shortest) for rank in ranks for window in rank.windows]
    names = ("compute", "exposed_comm_transfer", "exposed_comm_wait", "exposed_copy", "idle")
    return dict(zip(names, map(sum, zip(*rows))))


def overlap(ranks):
    comm = compute = both = 0
    for rank in ranks:
        for window in rank.windows:
            computing, communicating = rank.clipped("compute", window), rank.clipped("comm", window)
            comm += intervals.length(communicating)
            compute += intervals.length(computing)
            both += intervals.length(computing + communicating)
    hidden = comm + compute - both
    return {"comm_ns": comm, "compute_ns": compute, "hidden_comm_ns": hidden, "exposed_comm_ns": comm - hidden}


def phase_device_times(ranks):
    """{phase: mean over ranks and steps}"""
    return {phase: statistics.fmean(rank.device_time(what, window) for rank in ranks for window in rank.windows)
            for what, phase in PHASES.items()}


def phase_host_times(ranks):
    """{phase: median over ranks and steps}, for phases that the main thread announced."""
    times = {}
    for what, phase in PHASES.items():
        of_steps = [rank.recorded_host_time(what, step) for rank in ranks for step in range(len(rank.starts))]
        if any(of_steps):
            times[phase] = statistics.median(of_steps)
    return times


def waits(ranks):
    """(total wait, total transfer, number of collectives). A group of sends and receives counts as one collective."""
    waiting = transferring = 0
    found = set()
    shortest = shortest_spans(ranks)
    for rank in ranks:
        for span, ready, parts in rank.communicating(shortest):
            waiting += ready - span.start
            transferring += span.end - ready
            found.add(unit_of(parts))
    return waiting, transferring, len(found)
