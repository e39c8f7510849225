"""Builds the truth of a small job call by call, for hand-computed tests."""

from oracle import ledger
from oracle.truth import Call, Collective, Job, Part, Range, Rank, Span


class JobOfCalls:
    """Builds a job; launch() adds a call of 1 ns and the span that it launches."""

    def __init__(self, ranks=1):
        self.job = Job(ranks, 1, "nvtx", {rank: Rank(rank) for rank in range(ranks)})
        self.next_id = 1

    def call(self, role, start, end, rank=0, **values):
        function = values.pop("function", role)
        made = Call(self.next_id, values.pop("thread", "main"), function, role, start, end, device=rank, **values)
        self.next_id += 1
        self.calls(rank).append(made)
        self.calls(rank).sort(key=lambda call: call.start)
        return made

    def calls(self, rank=0):
        return self.job.ranks[rank].process.calls

    def range(self, name, start, end, rank=0, thread="main", **values):
        self.job.ranks[rank].process.ranges.append(Range(thread, name, start, end, **values))

    def launch(self, cls, start, end, rank=0, at=None, stream=7, name="k", collective=None, **values):
        values.setdefault("step", 0)
        call_start = start - 1 if at is None else at
        call = self.call("launch", call_start, call_start + 1, rank, stream=stream, **values)
        self.job.ranks[rank].spans.append(Span(rank, cls, name, stream, start, end, call, collective))
        return call

    def collective(self, times, op="all_reduce", count=1000, missing=()):
        """`times`: {rank: (arrival, end)}; ranks in `missing` have no record of the collective."""
        id_ = len(self.job.collectives) + 1
        parts = [Part(rank, 0, *span) for rank, span in times.items() if rank not in missing]
        self.job.collectives[id_] = Collective(id_, "world", op, "float32", count, len(times), parts)
        for part in parts:
            self.launch("comm", part.arrival, part.end, part.rank, stream=17, collective=id_)

    def rows(self, rank=0):
        totals, window_ns = ledger.of_rank(self.job, self.job.ranks[rank])
        assert sum(totals.values()) == window_ns
        return {row: ns for row, ns in ledger.by_row(totals).items() if ns}
