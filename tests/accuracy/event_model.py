"""A second model of training jobs, and of nothing but events: hosts that launch, streams in order, collectives that end
together. It writes traces as PyTorch's profiler does, so it tests the import as well; it shares no code with the
analyzer or with tauprof-generate.

    job = Job(ranks=4, noise=0.01, draw=random.Random(1))
    rank = job.ranks[0]
    product = rank.kernel("ampere_bf16_s16816gemm_…", 900)
    rank.kernel("ncclDevKernel_AllReduce_…", stream=20, after=[product], joins=job.collective(("step", 0), 3000))
    job.solve()
    job.write(folder, clock_errors={0: 0.0})

Times are microseconds. A host may run ahead of its device. What starts when is known once `solve` has gone through all
ranks: each event starts after those before it; a collective ends on all ranks, one duration after the last of them has
arrived. Where ranks exchange parts of their own size, each has a `share` of that duration to itself. Where data goes to
a root, or from it, small messages are buffered: a member then ends once those have arrived that it needs data of.

Every event keeps what was drawn for it, so a job can be solved once more with a `Change`, and differs in nothing else.
What a rank's trouble adds to an event is known apart from it: `healthy` is how long it lasts without.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import json
import statistics

LAUNCH_LATENCY = 6.0  # from a launch's start to its kernel's on an idle device
STREAM_GAP = 1.0  # from the end of a kernel to the start of the next
RETURN_LATENCY = 6.0  # from the end of device work to the return of the call that waited for it


@dataclasses.dataclass(eq=False)
class Event:
    duration: float
    after: list  # it starts when these have ended
    on_device: bool = False
    launch: Event | None = None  # of device work
    waits_for: list = dataclasses.field(default_factory=list)  # a blocking call ends after these have
    joins: Collective | None = None
    share: float = 1.0  # of the collective's duration: how long it lasts here
    healthy: float | None = None  # the duration, without its rank's trouble
    healthy_share: float | None = None
    name: str = ""
    rank: int = 0
    line: str | int = ""  # a thread's name or a stream's number
    late: float | None = None  # how long after a collective's end its kernel ends here
    start: float = 0.0
    end: float = 0.0


@dataclasses.dataclass(eq=False)
class Collective:
    duration: float
    root: int | None = None  # where small messages are buffered on their way to this rank, or from it
    gathers: bool = True  # the root needs the others; else they need the root
    members: list = dataclasses.field(default_factory=list)
    arrived: set = dataclasses.field(default_factory=set)

    def needed_by(self, member):
        """Those that must have arrived before this member's part moves."""
        if self.root is None:
            return self.members
        if self.gathers:
            return self.members if member.rank == self.root else [member]
        return [other for other in self.members if other is member or other.rank == self.root]

    def arrives(self, event):
        """Takes the event in, and returns the members whose part moves by that."""
        self.arrived.add(event)
        return [member for member in self.members if member in self.arrived
                and event in (needed := self.needed_by(member)) and self.arrived.issuperset(needed)]


class Change:
    """The differences in a job that is solved once more; none here."""

    def duration(self, event):
        return event.duration

    def transfer(self, event):
        """How long the event's part of its collective takes."""
        return event.joins.duration * event.share

    def waits_for(self, event):
        return event.waits_for


class Rank:
    def __init__(self, job, number):
        self.job, self.number = job, number
        self.slowdown = 1.0  # of kernels
        self.launch_factor = 1.0  # of what a launch takes on the host
        self.events, self.records = [], []
        self.threads, self.streams = {}, {}
        self.held = {}  # by stream: what its next launch waits for, besides
        self.sequences = collections.Counter()  # of collectives, by group
        self.correlation = 1000 * (number + 1)
        self.recorded = None  # (first, last): the host events between which calls are recorded; None: all
        self.clock_jump = (float("inf"), 0.0)  # from this time on the clock is ahead by so much

    def host(self, duration, thread="main", after=(), waits_for=(), is_exact=False, name="", factor=1.0, trouble=0.0):
        """Something that a thread does, without a record of its own. Trouble makes it `factor` times longer, then adds
        its own time."""
        before = [self.threads[thread]] if thread in self.threads else []
        jitter = 1.0 if is_exact else self.job.jitter()
        event = Event(duration * factor * jitter + trouble, before + list(after), waits_for=list(waits_for),
                      healthy=duration * jitter, name=name, rank=self.number, line=thread)
        self.threads[thread] = event
        self.events.append(event)
        return event

    def call(self, name, duration=5.0, thread="main", waits_for=()):
        self.correlation += 1
        event = self.host(duration, thread, waits_for=waits_for, name=name, factor=self.launch_factor)
        self.records.append((event, event, name, "cuda_runtime", thread, {"correlation": self.correlation, "cbid": 211}))
        return event

    def synchronize(self, *streams, thread="main"):
        return self.call("cudaStreamSynchronize" if streams else "cudaDeviceSynchronize", thread=thread,
                         waits_for=[event for stream, event in self.streams.items() if not streams or stream in streams])

    def record(self, stream, thread="main"):
        """An event on the stream: the work that it stands behind."""
        self.call("cudaEventRecord", 1, thread)
        return ([self.streams[stream]] if stream in self.streams else []) + self.held.get(stream, [])

    def hold(self, stream, work, thread="main"):
        """Work launched into the stream from here on waits for an event's work."""
        self.call("cudaStreamWaitEvent", 1, thread)
        self.held[stream] = self.held.get(stream, []) + work

    def await_event(self, work, thread="main"):
        return self.call("cudaEventSynchronize", 1, thread, waits_for=work)

    @contextlib.contextmanager
    def range(self, name, category="user_annotation", thread="main"):
        first = self.host(0.5, thread, is_exact=True)
        yield
        last = self.host(0.5, thread, is_exact=True)
        self.records.append((first, last, name, category, thread, {"External id": len(self.records)}))

    def kernel(self, name, duration=0.0, stream=7, thread="main", after=(), joins=None, operator=None, cost=6.0,
               function="cudaLaunchKernel", category="kernel", share=1.0, healthy=None, healthy_share=None, **args):
        """Device work and its launch, inside an operator that takes the host `cost` beforehand."""
        with self.range(operator, "cpu_op", thread) if operator else contextlib.nullcontext():
            if operator:
                self.host(cost, thread, factor=self.launch_factor)
            launch = self.call(function, thread=thread)
        slowdown = self.slowdown if category == "kernel" and joins is None else 1.0
        before = ([self.streams[stream]] if stream in self.streams else []) + self.held.pop(stream, [])
        jitter = self.job.jitter()
        event = Event(duration * jitter * slowdown, before + list(after), True, launch, joins=joins, share=share,
                      healthy=(duration if healthy is None else healthy) * jitter, healthy_share=healthy_share,
                      name=name, rank=self.number, line=stream)
        if joins is not None:
            joins.members.append(event)
        self.streams[stream] = event
        self.events.append(event)
        args |= {"device": 0, "context": 1, "stream": stream, "correlation": self.correlation}
        self.records.append((event, event, name, category, stream, args))
        return event

    def has_record_of(self, event):
        """Whether the profiler was on when the host did this, or launched it."""
        if self.recorded is None:
            return True
        first, last = self.recorded
        return first.start <= (event.launch or event).start < last.end

    def on_clock(self, time):
        since, amount = self.clock_jump
        return time + amount if time >= since else time

    def copy_input(self, duration, size):
        self.kernel("Memcpy HtoD (Pinned -> Device)", duration, operator="aten::copy_", function="cudaMemcpyAsync",
                    category="gpu_memcpy", bytes=size)


class Job:
    def __init__(self, ranks, noise, draw):
        self.noise, self.draw = noise, draw
        self.marks_ends = False  # an event behind each collective
        self.ranks = [Rank(self, number) for number in range(ranks)]
        self.collectives = {}

    def jitter(self):
        return max(0.5, 1 + self.draw.gauss(0, self.noise))

    def collective(self, key, duration, **buffered):
        """The collective that ranks with the same key join."""
        if key not in self.collectives:
            self.collectives[key] = Collective(duration * self.jitter(), **buffered)
        return self.collectives[key]

    def solve(self, change=Change()):
        missing, followers = {}, {}
        for together in self.collectives.values():
            together.arrived.clear()
        for rank in self.ranks:
            for event in rank.events:
                before = event.after + change.waits_for(event) + ([event.launch] if event.launch else [])
                missing[event] = len(before)
                for other in before:
                    followers.setdefault(other, []).append(event)
        ready = [event for event, count in missing.items() if count == 0]
        while ready:
            for event in self._start(ready.pop(), change):
                for follower in followers.get(event, ()):
                    missing[follower] -= 1
                    if missing[follower] == 0:
                        ready.append(follower)
        assert not any(missing.values()), "the job waits for itself"

    def _start(self, event, change):
        """Starts the event, and returns those that have ended by that."""
        gap = STREAM_GAP if event.on_device else 0.0
        event.start = max((other.end + gap for other in event.after), default=0.0)
        if event.launch is not None:
            event.start = max(event.start, event.launch.start + LAUNCH_LATENCY)
        if event.joins is None:
            event.end = max([event.start + change.duration(event)] +
                            [other.end + RETURN_LATENCY for other in change.waits_for(event)])
            return [event]
        moving = event.joins.arrives(event)
        for member in moving:
            arrival = max(other.start for other in event.joins.needed_by(member))
            if member.late is None:
                member.late = self.draw.uniform(0, 0.2)
            member.end = arrival + change.transfer(member) + member.late
        return moving

    def write(self, folder, clock_errors, without=()):
        """Traces of all ranks but those whose files are lost."""
        folder.mkdir()
        for rank in (rank for rank in self.ranks if rank.number not in without):
            shift = 1.7e9 + clock_errors[rank.number]
            process = 4000 + rank.number
            threads = {thread: process + place for place, thread in enumerate(rank.threads)}
            events = [{"ph": "X", "cat": category, "name": name, "pid": 0 if isinstance(line, int) else process,
                       "tid": threads.get(line, line),
                       "ts": round(rank.on_clock(first.start) + shift, 3),
                       "dur": round(rank.on_clock(last.end) - rank.on_clock(first.start), 3), "args": args}
                      for first, last, name, category, line, args in rank.records if rank.has_record_of(first)]
            top = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB"}],
                   "distributedInfo": {"backend": "nccl", "rank": rank.number, "world_size": len(self.ranks)},
                   "baseTimeNanoseconds": 1_700_000_000_000_000_000, "traceEvents": events}
            (folder / f"rank{rank.number}.json").write_text(json.dumps(top))


def step_time(marks):
    """The mean step, from events that start the steps of each rank and end the last."""
    return statistics.mean((of_rank[-1].end - of_rank[0].end) / (len(of_rank) - 1) for of_rank in marks)
