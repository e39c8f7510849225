"""What a report has to say about a run, computed from the truth of the simulated devices alone: steps, ledger, overlap,
phases and waits, in the plainest way. It never looks at a log.

Steps and phases are those that the program announced. Times are the devices' own; runs that are held against these
numbers have clocks without wander, so that they are the host's, too.
"""

from __future__ import annotations

import bisect
import collections
import statistics

from oracle import intervals

PHASES = {"phase:h2d": "h2d", "phase:forward": "forward", "phase:backward": "backward", "phase:optimizer": "optim_step"}
CLASSES = {"kernel": "compute", "collective": "comm", "memcpy": "copy", "memset": "copy"}


class RankTruth:
    """One process with its steps: which span belongs to which, and the windows that they tile."""

    def __init__(self, process):
        self.process = process
        self.parts = collections.defaultdict(list)  # by span: a group of calls becomes one
        for part in process.collectives:
            if part.ranks > 1:
                self.parts[part.span].append(part)
        steps = [entry for entry in process.announcements if entry.what == "step"]
        self.main_thread = steps[0].thread
        self.begins = [entry.time for entry in steps if entry.begins]
        self.end = max(entry.time for entry in steps)
        self.spans = [span for span in process.spans if span.kind in CLASSES and self.step_of(span) is not None]
        self.windows = self.find_windows()

    def step_of(self, span):
        step = bisect.bisect_right(self.begins, span.submitted) - 1
        return step if step >= 0 and span.submitted < self.end else None

    def main_stream(self):
        """Where most is computed: other streams run ahead of the steps."""
        computing = collections.Counter()
        for span in self.spans:
            if CLASSES[span.kind] == "compute":
                computing[span.stream] += span.end - span.start
        return max(computing, key=computing.get)

    def find_windows(self):
        main = self.main_stream()
        starts = [min(span.start for span in self.spans if self.step_of(span) == 0)]
        for step in range(1, len(self.begins)):
            starts.append(min(span.start for span in self.spans if span.stream == main and self.step_of(span) == step))
        return list(zip(starts, [*starts[1:], max(span.end for span in self.spans)]))

    def clipped(self, kind, window):
        return intervals.clip([(span.start, span.end) for span in self.spans if CLASSES[span.kind] == kind], window)

    def communicating(self):
        """(span, when all that it waited for was there, its parts)"""
        return [(span, max(part.ready for part in self.parts[span.id]), self.parts[span.id])
                for span in self.spans if span.id in self.parts]

    def transferring(self, window):
        return intervals.clip([(ready, span.end) for span, ready, _ in self.communicating()], window)

    def ledger(self, window):
        """compute, exposed transfer, wait and copy, and idle time; they sum to the window."""
        layers = [self.clipped("compute", window), self.transferring(window), self.clipped("comm", window),
                  self.clipped("copy", window)]
        rows, covered = [], []
        for layer in layers:
            rows.append(intervals.length(covered + layer) - intervals.length(covered))
            covered = covered + layer
        return [*rows, window[1] - window[0] - sum(rows)]

    def announced(self, what):
        """(thread, begin, end) of each time that a phase was announced."""
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
                 if any(thread == span.call.thread and begin <= span.submitted < end for thread, begin, end in ranges)]
        return intervals.length(intervals.clip(spans, window))

    def host_time(self, what, step):
        bounds = (self.begins[step], [*self.begins[1:], self.end][step])
        return sum(end - begin for thread, begin, end in self.announced(what)
                   if thread == self.main_thread and bounds[0] <= begin < bounds[1])


def step_durations(ranks):
    """Of each step: the mean of the ranks' windows."""
    return [statistics.fmean(end - start for start, end in windows) for windows in zip(*(rank.windows for rank in ranks))]


def ledger(ranks):
    rows = [rank.ledger(window) for rank in ranks for window in rank.windows]
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
    """{phase: its mean over ranks and steps}"""
    return {phase: statistics.fmean(rank.device_time(what, window) for rank in ranks for window in rank.windows)
            for what, phase in PHASES.items()}


def phase_host_times(ranks):
    """{phase: its median over ranks and steps}, where the main thread announced it."""
    times = {}
    for what, phase in PHASES.items():
        of_steps = [rank.host_time(what, step) for rank in ranks for step in range(len(rank.begins))]
        if any(of_steps):
            times[phase] = statistics.median(of_steps)
    return times


def waits(ranks):
    """(all waiting, all transferring, how many collectives); a group of sends and receives is one of them."""
    waiting = transferring = 0
    found = set()
    for rank in ranks:
        for span, ready, parts in rank.communicating():
            waiting += ready - span.start
            transferring += span.end - ready
            found.add((parts[0].communicator, parts[0].operation, min(part.sequence for part in parts)))
    return waiting, transferring, len(found)
