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
arrived. Where ranks exchange parts of their own size, each has a `share` of that duration to itself.
"""

from __future__ import annotations

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
    start: float = 0.0
    end: float = 0.0


@dataclasses.dataclass(eq=False)
class Collective:
    duration: float
    members: list = dataclasses.field(default_factory=list)
    arrived: int = 0


class Rank:
    def __init__(self, job, number):
        self.job, self.number = job, number
        self.slowdown = 1.0  # of kernels
        self.launch_factor = 1.0  # of what a launch takes on the host
        self.events, self.records = [], []
        self.threads, self.streams = {}, {}
        self.correlation = 1000 * (number + 1)

    def host(self, duration, thread="main", after=(), waits_for=(), is_exact=False):
        """Something that a thread does, without a record of its own."""
        before = [self.threads[thread]] if thread in self.threads else []
        event = Event(duration if is_exact else duration * self.job.jitter(), before + list(after),
                      waits_for=list(waits_for))
        self.threads[thread] = event
        self.events.append(event)
        return event

    def call(self, name, duration=5.0, thread="main", waits_for=()):
        self.correlation += 1
        event = self.host(duration * self.launch_factor, thread, waits_for=waits_for)
        self.records.append((event, event, name, "cuda_runtime", thread, {"correlation": self.correlation, "cbid": 211}))
        return event

    def synchronize(self, *streams):
        return self.call("cudaStreamSynchronize" if streams else "cudaDeviceSynchronize",
                         waits_for=[event for stream, event in self.streams.items() if not streams or stream in streams])

    @contextlib.contextmanager
    def range(self, name, category="user_annotation", thread="main"):
        first = self.host(0.5, thread, is_exact=True)
        yield
        last = self.host(0.5, thread, is_exact=True)
        self.records.append((first, last, name, category, thread, {"External id": len(self.records)}))

    def kernel(self, name, duration=0.0, stream=7, thread="main", after=(), joins=None, operator=None, cost=6.0,
               function="cudaLaunchKernel", category="kernel", share=1.0, **args):
        """Device work and its launch, inside an operator that takes the host `cost` beforehand."""
        with self.range(operator, "cpu_op", thread) if operator else contextlib.nullcontext():
            if operator:
                self.host(cost * self.launch_factor, thread)
            launch = self.call(function, thread=thread)
        slowdown = self.slowdown if category == "kernel" and joins is None else 1.0
        before = [self.streams[stream]] if stream in self.streams else []
        event = Event(duration * self.job.jitter() * slowdown, before + list(after), True, launch, joins=joins,
                      share=share)
        if joins is not None:
            joins.members.append(event)
        self.streams[stream] = event
        self.events.append(event)
        args |= {"device": 0, "context": 1, "stream": stream, "correlation": self.correlation}
        self.records.append((event, event, name, category, stream, args))
        return event

    def copy_input(self, duration, size):
        self.kernel("Memcpy HtoD (Pinned -> Device)", duration, operator="aten::copy_", function="cudaMemcpyAsync",
                    category="gpu_memcpy", bytes=size)


class Job:
    def __init__(self, ranks, noise, draw):
        self.noise, self.draw = noise, draw
        self.ranks = [Rank(self, number) for number in range(ranks)]
        self.collectives = {}

    def jitter(self):
        return max(0.5, 1 + self.draw.gauss(0, self.noise))

    def collective(self, key, duration):
        """The collective that ranks with the same key join."""
        if key not in self.collectives:
            self.collectives[key] = Collective(duration * self.jitter())
        return self.collectives[key]

    def solve(self):
        missing, followers = {}, {}
        for rank in self.ranks:
            for event in rank.events:
                before = event.after + event.waits_for + ([event.launch] if event.launch else [])
                missing[event] = len(before)
                for other in before:
                    followers.setdefault(other, []).append(event)
        ready = [event for event, count in missing.items() if count == 0]
        while ready:
            for event in self._start(ready.pop()):
                for follower in followers.get(event, ()):
                    missing[follower] -= 1
                    if missing[follower] == 0:
                        ready.append(follower)
        assert not any(missing.values()), "the job waits for itself"

    def _start(self, event):
        """Starts the event, and returns those that have ended by that."""
        gap = STREAM_GAP if event.on_device else 0.0
        event.start = max((other.end + gap for other in event.after), default=0.0)
        if event.launch is not None:
            event.start = max(event.start, event.launch.start + LAUNCH_LATENCY)
        if event.joins is None:
            event.end = max([event.start + event.duration] + [other.end + RETURN_LATENCY for other in event.waits_for])
            return [event]
        together = event.joins
        together.arrived += 1
        if together.arrived < len(together.members):
            return []
        arrival = max(member.start for member in together.members)
        for member in together.members:
            member.end = arrival + together.duration * member.share + self.draw.uniform(0, 0.2)
        return together.members

    def write(self, folder, clock_errors):
        folder.mkdir()
        for rank in self.ranks:
            shift = 1.7e9 + clock_errors[rank.number]
            process = 4000 + rank.number
            events = [{"ph": "X", "cat": category, "name": name, "pid": 0 if isinstance(line, int) else process,
                       "tid": line if isinstance(line, int) else process + (line != "main"),
                       "ts": round(first.start + shift, 3), "dur": round(last.end - first.start, 3), "args": args}
                      for first, last, name, category, line, args in rank.records]
            top = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB"}],
                   "distributedInfo": {"backend": "nccl", "rank": rank.number, "world_size": len(self.ranks)},
                   "baseTimeNanoseconds": 1_700_000_000_000_000_000, "traceEvents": events}
            (folder / f"rank{rank.number}.json").write_text(json.dumps(top))


def step_time(marks):
    """The mean step, from events that start the steps of each rank and end the last."""
    return statistics.mean((of_rank[-1].end - of_rank[0].end) / (len(of_rank) - 1) for of_rank in marks)
