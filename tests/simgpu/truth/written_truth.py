"""Writes truth files for tests: one per rank, with the spans, collectives and announcements that a test gives."""

from simgpu_truth.check import faults
from simgpu_truth.reader import read_directory


class TruthFile:
    """The lines of one process. Fields that a test does not set have valid values."""

    def __init__(self, rank=0):
        self.rank = rank
        self.names = {}
        self.lines = ["simgpu-truth\t1", f"process\t{100 + rank}\t{rank}\tnode\t0"]
        self.spans = 0

    def add(self, *fields):
        self.lines.append("\t".join(str(field) for field in fields))
        return self

    def name(self, text):
        if text not in self.names:
            self.names[text] = len(self.names) + 1
            self.add("name", self.names[text], text)
        return self.names[text]

    def span(self, start, end, kind="kernel", stream=7, submitted=0, number=None, skew=0, graph=0, node=0, device=0,
             correlation=1):
        self.spans += 1
        name, function = self.name("kernel"), self.name("cudaLaunchKernel")
        return self.add("span", number or self.spans, kind, name, device, 1, stream, correlation, 100, function,
                        self.spans, submitted, start, end, start + skew, end + skew, 0, "", graph, node)

    def collective(self, arrival, ready, end, op="AllReduce", sequence=0, ranks=2, peer=-1, size=1024, span=True):
        if span:
            self.span(arrival, end, kind="collective")
        return self.add("collective", self.spans, self.name("world"), self.rank, ranks, sequence, op, peer, size, arrival,
                        ready, end, 100, self.name("ncclAllReduce"), sequence + 1)

    def announce(self, what, index, edge, time, thread=100):
        return self.add("announce", what, index, edge, thread, time)

    def ended(self, time=10_000):
        return self.add("end", time)

    def write(self, directory, tail=b""):
        path = directory / f"truth-{100 + self.rank}.tsv"
        path.write_bytes("".join(line + "\n" for line in self.lines).encode() + tail)
        return path


def faults_of(directory, *files, **options):
    for file in files:
        file.write(directory)
    return list(faults(read_directory(directory), **options))
