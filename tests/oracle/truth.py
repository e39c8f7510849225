"""Loads the truth of a simulated job: the real calls, spans and ranges of each process."""

import json
from dataclasses import dataclass, field

from oracle import call_phases, windows


@dataclass
class Call:
    id: int
    thread: str
    function: str
    role: str  # launch, blocking_copy, sync, stream_wait, other
    start: int
    end: int
    device: int = 0  # the rank whose device it uses
    stream: int | None = None
    to_device: bool = False
    flops: int = 0  # of a matrix multiplication
    thread_cpu_ns: int | None = None
    end_cpu_ns: int | None = None
    step: int | None = None
    phase: str = "other"
    program_step: int | None = None  # the simulated program's own step and phase, to check the rules
    program_phase: str = "other"

    @property
    def is_launch(self):
        return self.role in ("launch", "blocking_copy")

    @property
    def blocks(self):
        return self.role in ("sync", "blocking_copy")


@dataclass
class Span:
    rank: int
    cls: str  # compute, fused, comm, copy, unclassified
    name: str
    stream: int
    start: int
    end: int
    call: Call | None = None
    collective: int | None = None

    @property
    def launched(self):
        return self.call.start if self.call else -1

    @property
    def step(self):
        return self.call.step if self.call else None

    @property
    def phase(self):
        return self.call.phase if self.call else "other"


@dataclass
class Range:
    thread: str
    name: str
    start: int
    end: int
    step: int | None = None
    phase: str | None = None


@dataclass
class Part:
    rank: int
    call: int
    arrival: int
    end: int
    is_analysed: bool = True  # arrives inside a window that counts


@dataclass
class Collective:
    id: int
    comm: str
    op: str
    dtype: str
    count: int
    ranks: int
    parts: list
    root: int | None = None  # the sending rank
    sequence: int = 0  # within its communicator, from 1; 0: unknown


@dataclass
class Process:
    """The ranges of its thread `main` apply to all of its devices."""
    calls: list = field(default_factory=list)  # by start
    ranges: list = field(default_factory=list)
    spoken: object = None  # what the ranges say of passes (spoken.Spoken)

    def main_ranges(self):
        return [range_ for range_ in self.ranges if range_.thread == "main"]


@dataclass
class Rank:
    rank: int
    host: str = "node0"
    logged: bool = True
    clock_offset_ns: int = 0  # its log's clock minus the true time at the start of the job
    clock_drift_ppb: int = 0  # the rate at which that clock gains
    process: Process = field(default_factory=Process)
    spans: list = field(default_factory=list)
    warmup: list = field(default_factory=list)  # the job's first steps, which are not analysed


@dataclass
class Job:
    world_size: int
    hosts: int
    marker: str
    ranks: dict = field(default_factory=dict)
    collectives: dict = field(default_factory=dict)

    def logged_ranks(self):
        return [self.ranks[rank] for rank in sorted(self.ranks) if self.ranks[rank].logged]


def load(path):
    lines = [json.loads(line) for line in open(path, encoding="utf-8")]
    by_kind = {}
    for line in lines:
        by_kind.setdefault(line.pop("kind"), []).append(line)
    header = by_kind["job"][0]
    job = Job(header["world_size"], header["hosts"], header["marker"])
    processes = {}
    for line in by_kind["rank"]:
        process = processes.setdefault(line.pop("process"), Process())
        job.ranks[line["rank"]] = Rank(process=process, **line)
    calls = _load_host(job, by_kind)
    _load_spans(job, by_kind, calls)
    for process in processes.values():
        _read_process(process, [rank for rank in job.ranks.values() if rank.process is process])
    warmup = windows.warmup(job)
    for rank in job.ranks.values():
        rank.warmup = warmup
    _load_collectives(job, by_kind)
    return job


def _load_host(job, by_kind):
    """The calls by (rank, id)."""
    calls = {}
    for line in by_kind["call"]:
        call = Call(device=line.pop("rank"), program_step=line.pop("step"), program_phase=line.pop("phase"), **line)
        calls[call.device, call.id] = call
        job.ranks[call.device].process.calls.append(call)
    for line in by_kind.get("range", []):
        job.ranks[line.pop("rank")].process.ranges.append(Range(**line))
    for rank in job.ranks.values():
        rank.process.calls.sort(key=lambda call: call.start)
    return calls


def _load_spans(job, by_kind, calls):
    for line in by_kind["span"]:
        rank = job.ranks[line["rank"]]
        if line.pop("recorded") and rank.logged:
            call = calls.get((rank.rank, line.pop("call")))
            rank.spans.append(Span(cls=line.pop("class"), call=call, **line))


def _read_process(process, ranks):
    """Derives the step and the phase of each call from the records alone."""
    hosts = windows.host_windows(process)
    for call in process.calls:
        inside = [step for step, (start, end) in hosts.items() if start <= call.start < end]
        call.step = inside[0] if inside else None
    call_phases.assign(process, [span for rank in ranks for span in rank.spans])


def _load_collectives(job, by_kind):
    analysed = {rank.rank: windows.device_windows(rank) for rank in job.logged_ranks()}
    recorded = {(span.collective, rank.rank) for rank in job.ranks.values() for span in rank.spans}
    for line in by_kind.get("collective", []):
        parts = [Part(**part) for part in line["parts"] if (line["id"], part["rank"]) in recorded]
        for part in parts:
            part.is_analysed = windows.is_inside(part.arrival, analysed[part.rank])
        job.collectives[line["id"]] = Collective(
            line["id"], line["comm"], line["op"], line["dtype"], line["count"], line["ranks"], parts,
            line.get("root"), line["sequence"])
