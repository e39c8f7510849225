"""A job of the event model with something changed, as `tauprof whatif` is asked, and how long its steps are."""

from __future__ import annotations

import dataclasses
import fnmatch
import statistics
import typing

from drawn_jobs import LOADER
from event_model import Change
from pytorch_program import COLLECTIVES
from traced_jobs import COMPUTE, NCCL

BLOCKING = ("cudaStreamSynchronize", "cudaDeviceSynchronize", "cudaEventSynchronize")
SPEED = 2
# Of at least so many steps, the leading ones that take so many times the median of the later half are warm-up.
FEWEST_WITH_WARM_UP, WARM_UP = 8, 1.5


class Repaired(Change):
    """A rank without its trouble."""

    def __init__(self, rank):
        self.rank = rank

    def duration(self, event):
        return event.healthy if event.rank == self.rank else event.duration

    def transfer(self, event):
        has_trouble = event.rank == self.rank and event.healthy_share is not None
        return event.joins.duration * (event.healthy_share if has_trouble else event.share)


class Scaled(Change):
    """Some events take a multiple of their time, or none."""

    def __init__(self, touches, factor):
        self.touches, self.factor = touches, factor

    def _factor(self, event):
        return self.factor if self.touches(event) else 1.0

    def duration(self, event):
        return event.duration * self._factor(event)

    def transfer(self, event):
        return super().transfer(event) * self._factor(event)


class Unblocked(Scaled):
    """Blocking calls return at once."""

    def __init__(self):
        super().__init__(lambda event: event.name in BLOCKING, 0)

    def waits_for(self, event):
        return [] if self.touches(event) else event.waits_for


@dataclasses.dataclass
class Question:
    kind: str
    options: list
    change: Change
    truth: float = 0.0  # what it saves: microseconds of the mean step


def is_copy(event, direction):
    return event.on_device and event.name.startswith(f"Memcpy {direction}")


def fix(rank, is_slow):
    return Question(f"repair of a {'slow' if is_slow else 'healthy'} rank", ["--fix", f"rank:{rank}"], Repaired(rank))


def faster_kernels():
    return Question("faster kernels", ["--speed", f"kernel:*gemm*={SPEED}x"],
                    Scaled(lambda event: event.joins is None and fnmatch.fnmatchcase(event.name, "*gemm*"), 1 / SPEED))


def faster_collectives(op):
    kernel = NCCL.format(COLLECTIVES[op][1])
    return Question("faster collectives", ["--speed", f"op:{op}={SPEED}x"],
                    Scaled(lambda event: event.joins is not None and event.name == kernel, 1 / SPEED))


def faster_messages():
    return Question("faster messages", ["--speed", f"op:*={SPEED}x"],
                    Scaled(lambda event: event.joins is not None, 1 / SPEED))


def without_syncs():
    return Question("without syncs", ["--without", "syncs"], Unblocked())


def without_data_waits():
    return Question("without data waits", ["--without", "data-waits"], Scaled(lambda event: event.name == LOADER, 0))


def without_copies():
    return Question("without copies to the host", ["--without", "copy:d2h"],
                    Scaled(lambda event: is_copy(event, "DtoH"), 0))


def faster_copies():
    return Question("faster copies to the host", ["--speed", f"copy:d2h={SPEED}x"],
                    Scaled(lambda event: is_copy(event, "DtoH"), 1 / SPEED))


class Steps:
    """The device windows of the steps of a job that has been solved, as docs/metrics.md defines them. They are those of
    the whole run, less its warm-up: what a change saves is the same whoever records how much of it. Once the job is
    solved with a change, steps are bounded by the same work."""

    def __init__(self, job, without=()):
        self.ranks = [_Bounds.of(rank) for rank in job.ranks if rank.number not in without]
        lengths = [statistics.mean(bounds.first_length() for bounds in self.ranks), *self.lengths()[1:]]
        limit = WARM_UP * statistics.median(lengths[len(lengths) // 2:])
        most = len(lengths) // 2 if len(lengths) >= FEWEST_WITH_WARM_UP else 0
        self.warm_up = next((step for step in range(most) if lengths[step] <= limit), most)

    def lengths(self):
        """Of each step, on average over the ranks that have a log."""
        return [statistics.mean(of_ranks) for of_ranks in zip(*(bounds.lengths() for bounds in self.ranks))]

    def mean(self):
        return statistics.mean(self.lengths()[self.warm_up:])


class _Bounds(typing.NamedTuple):
    """Of a rank's steps."""

    marks: list  # the first and the last event of each
    work: list  # on the device
    firsts: list  # on the main stream, from the second step on

    @classmethod
    def of(cls, rank):
        marks = [(first, last) for first, last, name, *_ in rank.records if name.startswith("ProfilerStep#")]
        work = [event for event in rank.events if event.on_device and event.launch.start < marks[-1][1].end]
        main = sorted((event for event in work if event.line == COMPUTE), key=lambda event: event.launch.start)
        firsts = [next(event for event in main if event.launch.start >= first.start) for first, _ in marks[1:]]
        return cls(marks, work, firsts)

    def first_length(self):
        """Of the first step, as it counts for warm-up: on the host, or from its first work on."""
        on_host = self.marks[1][0].start - self.marks[0][0].start
        return max(on_host, self.firsts[0].start - min(event.start for event in self.work))

    def lengths(self):
        start = min(self.marks[0][0].start, *(event.start for event in self.work))
        end = max(self.marks[-1][1].end, *(event.end for event in self.work))
        bounds = [start, *(event.start for event in self.firsts), end]
        return [end - start for start, end in zip(bounds, bounds[1:])]
