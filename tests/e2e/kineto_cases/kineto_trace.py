"""Small traces in the PyTorch profiler's format, written event by event, and the reports made from them.

Times are microseconds since the trace's own zero; `shift` offsets all times of a rank.
"""

import json
import subprocess

PID, MAIN, AUTOGRAD = 4711, 4711, 4790
COMPUTE, COMM = 7, 20
GEMM = "ampere_sgemm_128x64_tn"
ALL_REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)"
SEND_RECV = "ncclDevKernel_SendRecv(ncclDevComm*, unsigned long, ncclWork*)"
LOADER = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
BASE_NS = 1_700_000_000_000_000_000


class Trace:
    """One rank's trace."""

    def __init__(self, rank=None, world=None, base_ns=BASE_NS, shift=0, pid=PID):
        self.rank, self.world, self.base_ns, self.shift, self.pid = rank, world, base_ns, shift, pid
        self.events, self.correlation, self.device_name = [], 0, None
        self.is_in_the_midst = False

    def event(self, category, name, start, end, tid=MAIN, pid=None, **args):
        self.events.append({"ph": "X", "cat": category, "name": name, "pid": self.pid if pid is None else pid,
                            "tid": tid, "ts": start + self.shift, "dur": round(end - start, 3), "args": args})

    def step(self, number, start, end):
        self.annotation(f"ProfilerStep#{number}", start, end)

    def annotation(self, name, start, end, tid=MAIN):
        self.event("user_annotation", name, start, end, tid)

    def operator(self, name, start, end, dims, types=("float", "float"), values=None, tid=MAIN):
        """An operator with the shapes of its inputs and, as PyTorch writes them since 2.1, values of others."""
        args = {"Input Dims": dims, "Input type": list(types)}
        if values is not None:
            args["Concrete Inputs"] = values
        self.event("cpu_op", name, start, end, tid, **args)

    def call(self, name, start, end, tid=MAIN, category="cuda_runtime"):
        self.correlation += 1
        self.event(category, name, start, end, tid, correlation=self.correlation, cbid=0)
        return self.correlation

    def on_device(self, start, end, name=GEMM, category="kernel", stream=COMPUTE, device=0, correlation=None, **args):
        if correlation is not None:
            args["correlation"] = correlation
        self.event(category, name, start, end, tid=stream, pid=device, device=device, stream=stream, **args)

    def kernel(self, start, end, name=GEMM, launch=None, tid=MAIN, **args):
        """A kernel and its launch, by default at [start - 6, start - 5)."""
        called, returned = launch or (start - 6, start - 5)
        self.on_device(start, end, name, correlation=self.call("cudaLaunchKernel", called, returned, tid), **args)

    def copy(self, start, end, launch=None, name="Memcpy HtoD (Pinned -> Device)", function="cudaMemcpyAsync"):
        called, returned = launch or (start - 6, start - 5)
        self.on_device(start, end, name, "gpu_memcpy", correlation=self.call(function, called, returned))

    def all_reduce(self, start, end, **args):
        self.kernel(start, end, ALL_REDUCE, stream=args.pop("stream", COMM), **args)

    def collective(self, start, end, operation, elements, members, group="0", out=None, dtype="Float", sequence=None,
                   kernel=ALL_REDUCE, stream=COMM, **args):
        """A kernel with the arguments that recent versions of PyTorch record."""
        args |= {"Collective name": operation, "In msg nelems": elements, "Out msg nelems": out or elements,
                 "Group size": len(members), "dtype": dtype, "Process Group Name": group,
                 "Process Group Ranks": str(list(members))}
        if sequence is not None:
            args["Seq"] = sequence
        self.kernel(start, end, kernel, stream=stream, **args)

    def begin_in_the_midst(self):
        """A step comes before, and the last one is over when its work is: what the host does before step 1's first work
        and after its last counts into no step that is analysed.
        """
        self.step(0, -1_000, 0)
        self.kernel(-500, -450, "earlier", launch=(-900, -890))
        self.is_in_the_midst = True

    def end_with_work(self):
        last = max((event for event in self.events
                    if event["cat"] == "user_annotation" and event["name"].startswith("ProfilerStep#")),
                   key=lambda event: event["ts"])
        last["dur"] = max(event["ts"] + event["dur"] for event in self.events
                          if event["cat"] in ("kernel", "gpu_memcpy", "gpu_memset")) - last["ts"]

    def document(self):
        if self.is_in_the_midst:
            self.end_with_work()
        top = {"schemaVersion": 1, "traceEvents": self.events}
        if self.device_name is not None:
            top["deviceProperties"] = [{"id": 0, "name": self.device_name}]
        if self.base_ns is not None:
            top["baseTimeNanoseconds"] = self.base_ns
        if self.rank is not None:
            top["distributedInfo"] = {"backend": "nccl", "rank": self.rank, "world_size": self.world}
        return top

    def write(self, path):
        path.write_text(json.dumps(self.document()))


def one_step():
    """A single rank with one step, on the host from 0 to 10 ms, and a first kernel from 100 to 200 µs."""
    trace = Trace()
    trace.begin_in_the_midst()
    trace.step(1, 0, 10_000)
    trace.kernel(100, 200, launch=(10, 20))
    return trace


def job(ranks, **options):
    """Ranks with one step each, whose first kernel runs from 100 to 200 µs."""
    traces = [Trace(rank, ranks, **options) for rank in range(ranks)]
    for trace in traces:
        trace.begin_in_the_midst()
        trace.step(1, 0, 100_000)
        trace.kernel(100, 200, launch=(10, 20))
    return traces


def loop(names, first=0, length=1_000, trace=None, lengths=None):
    """A step for each name, with a kernel that ends 100 µs before the next step's kernel starts."""
    trace = trace or Trace()
    now = first
    for i, name in enumerate(names):
        until = now + (lengths[i] if lengths else length)
        if name:
            trace.annotation(name, now, until)
        trace.kernel(now + 100, until, launch=(now + 10, now + 20))
        now = until
    return trace


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=60, **options)


def imported(tauprof, folder, traces):
    """Imports the traces, one file each, and returns the directory of logs."""
    source = folder / "traces"
    source.mkdir(parents=True, exist_ok=True)
    for i, trace in enumerate(traces):
        trace.write(source / f"trace_{i}.json")
    result = run(tauprof, "import", "kineto", source, "-o", folder / "logs")
    assert result.returncode == 0, result.stderr
    return folder / "logs"


def report_of(tauprof, folder, *traces, options=()):
    """The report of these traces, after a check of the invariants of every ledger."""
    if any(trace.is_in_the_midst for trace in traces) and "--steps" not in options:
        options = [*options, "--steps", "1:"]
    result = run(tauprof, "analyze", imported(tauprof, folder, traces), "--json", "-", *options)
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    ledger = report["ledger"]
    assert ledger["sum_ns"] == ledger["step_ns"] == sum(ledger["rows"].values())
    for rank in report["per_rank"]:
        assert sum(rank["ledger"].values()) == rank["step_ns"], f"rank {rank['rank']}"
    return report


def rows(report, rank=None):
    """The non-empty rows of the ledger, in microseconds."""
    ledger = report["ledger"]["rows"] if rank is None else rank_of(report, rank)["ledger"]
    return {row: ns / 1000 for row, ns in ledger.items() if ns}


def rank_of(report, rank):
    return next(entry for entry in report["per_rank"] if entry["rank"] == rank)


def straggling(report, rank):
    return next(entry for entry in report["stragglers"]["ranks"] if entry["rank"] == rank)


def line_of(report, operation, communicator=None):
    """The only line of the table of collectives with this operation."""
    lines = [line for line in report["collectives"]
             if line["op"] == operation and communicator in (None, line["comm"])]
    assert len(lines) == 1, report["collectives"]
    return lines[0]
