"""A data-parallel job of ranks that meet in one all-reduce a step, played host call by host call. Times are µs."""

from kineto_trace import AUTOGRAD, COMM, MAIN, Trace

CALL, BETWEEN, LATENCY = 4, 10, 5
GROUP = "0"
KERNEL, UPDATE = 1_000, 500
TRANSFER = 800


class Rank:
    def __init__(self, rank, ranks, has_operators):
        self.trace = Trace(rank, ranks)
        self.members, self.has_operators = range(ranks), has_operators
        self.now, self.free, self.thread = 100, 0, MAIN

    def call(self, function, length=CALL):
        """The host makes a call; an operator contains it."""
        self.now += BETWEEN
        start = self.now
        correlation = self.trace.call(function, start, start + length, self.thread)
        self.now += length
        if self.has_operators:
            self.trace.event("cpu_op", "aten::mm", start - 2, self.now + 2, self.thread)
        return correlation

    def pause(self, length):
        """Nothing happens on the host."""
        self.now += length

    def compute(self, length=KERNEL, name="ampere_sgemm_128x64_tn", **args):
        correlation = self.call("cudaLaunchKernel")
        start = max(self.now + LATENCY, self.free)
        self.free = start + length
        self.trace.on_device(start, self.free, name, correlation=correlation, **args)

    def copy(self, length, size=1 << 20, kind="Memcpy HtoD (Pinned -> Device)"):
        correlation = self.call("cudaMemcpyAsync")
        start = max(self.now + LATENCY, self.free)
        self.free = start + length
        self.trace.on_device(start, self.free, kind, "gpu_memcpy", correlation=correlation, bytes=size)

    def synchronize(self, longer=0):
        """The call returns when the device is done, or `longer` after that."""
        self.now += BETWEEN
        start = self.now
        self.now = max(self.now + CALL, self.free + LATENCY) + longer
        self.trace.call("cudaDeviceSynchronize", start, self.now, self.thread)


class Job:
    """In `defects` are functions of a Rank, by (rank, step, place); a step of None is every step. Places are "input",
    before the step; "forward", in the middle of its kernels; "backward", on autograd's thread; "reduction", right before
    the all-reduce; "update", before the optimizer; and "end", after the step's synchronisation. `slow`: factors on
    kernels, by rank. `transfer`: of the all-reduce, by step."""

    def __init__(self, defects, ranks=4, steps=8, kernels=10, has_operators=True, synchronises=True, transfer=None,
                 slow=None):
        self.defects, self.kernels, self.synchronises = defects, kernels, synchronises
        self.ranks = [Rank(rank, ranks, has_operators) for rank in range(ranks)]
        self.transfer, self.slow = transfer or (lambda step: TRANSFER), slow or {}
        for step in range(steps):
            self.play(step)

    def traces(self):
        return [rank.trace for rank in self.ranks]

    def at(self, rank, step, place):
        for when in (step, None):
            self.defects.get((rank.trace.rank, when, place), lambda _: None)(rank)

    def play(self, step):
        starts = []
        for rank in self.ranks:
            starts.append(rank.now)
            self.at(rank, step, "input")
            for kernel in range(self.kernels):
                if kernel == self.kernels // 2:
                    self.at(rank, step, "forward")
                self.compute(rank)
            rank.thread = AUTOGRAD
            self.at(rank, step, "backward")
            for _ in range(self.kernels):
                self.compute(rank)
            self.at(rank, step, "reduction")
        self.reduce(step)
        for rank in self.ranks:
            rank.thread = MAIN
            self.at(rank, step, "update")
            rank.compute(UPDATE, "multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4> >")
            if self.synchronises:
                rank.synchronize()
            self.at(rank, step, "end")
        for rank, start in zip(self.ranks, starts):
            rank.trace.step(step, start, rank.now)

    def compute(self, rank):
        rank.compute(KERNEL * self.slow.get(rank.trace.rank, 1))

    def reduce(self, step):
        arrivals = []
        for rank in self.ranks:
            correlation = rank.call("cudaLaunchKernel")
            arrivals.append((max(rank.now + LATENCY, rank.free), correlation))
        end = max(start for start, _ in arrivals) + self.transfer(step)
        for rank, (start, correlation) in zip(self.ranks, arrivals):
            rank.trace.on_device(start, end, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", stream=COMM,
                                 correlation=correlation, **{
                                     "Collective name": "allreduce", "In msg nelems": 1 << 20,
                                     "Out msg nelems": 1 << 20, "Group size": len(rank.members), "dtype": "Float",
                                     "Process Group Name": GROUP, "Process Group Ranks": str(list(rank.members))})
            rank.free = end
