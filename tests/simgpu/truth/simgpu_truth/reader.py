"""Reads truth files. If a SIGKILL cut a file off, reads it up to its last whole line."""

from __future__ import annotations

import pathlib
import re

from .model import Announcement, CallSite, Collective, InjectionStrike, Process, Span

FIRST_LINE = "simgpu-truth\t1"
ESCAPES = {r"\t": "\t", r"\n": "\n", r"\\": "\\"}


class FormatError(Exception):
    """The file violates the format. The text names the file and the line."""


def read_directory(directory) -> list[Process]:
    """The processes of a run, by rank and then by process id."""
    files = sorted(pathlib.Path(directory).glob("truth-*.tsv"))
    return sorted((read_file(path) for path in files), key=lambda process: (process.rank, process.pid))


def read_file(path) -> Process:
    path = pathlib.Path(path)
    return _FileReader(path.name).read(whole_lines(path.read_bytes()))


def whole_lines(content: bytes) -> list[str]:
    # The file is mapped and grows in steps: until it is closed, zeros follow what was written.
    written = content.rstrip(b"\0")
    return written.decode("utf-8", "replace").split("\n")[:-1]


def unescaped(text: str) -> str:
    return re.sub(r"\\[tn\\]", lambda match: ESCAPES[match.group()], text) if "\\" in text else text


class _FileReader:
    def __init__(self, name):
        self.process = Process(name)
        self.names = {}
        self.kinds = {
            "process": self.add_process, "name": self.add_name, "span": self.add_span,
            "collective": self.add_collective, "announce": self.add_announcement, "inject": self.add_injection,
            "end": self.add_end,
        }

    def read(self, lines):
        if not lines or lines[0] != FIRST_LINE:
            raise FormatError(f"{self.process.file}:1: does not begin with '{FIRST_LINE}'")
        for number, line in enumerate(lines[1:], start=2):
            kind, *fields = line.split("\t")
            try:
                self.kinds[kind](*fields)
            except (KeyError, ValueError, TypeError) as error:
                raise FormatError(f"{self.process.file}:{number}: {line!r}: {type(error).__name__} {error}") from None
        return self.process

    def call(self, thread, function, nth):
        return CallSite(int(thread), self.names[int(function)], int(nth))

    def add_process(self, pid, rank, host, start):
        process = self.process
        process.pid, process.rank, process.host, process.start = int(pid), int(rank), unescaped(host), int(start)

    def add_name(self, number, text):
        self.names[int(number)] = unescaped(text)

    def add_span(self, number, kind, name, device, context, stream, correlation, thread, function, nth, submitted,
                 start, end, device_start, device_end, size, detail, graph, graph_node):
        self.process.spans.append(Span(
            int(number), kind, self.names[int(name)], int(device), int(context), int(stream), int(correlation),
            self.call(thread, function, nth), int(submitted), int(start), int(end), int(device_start),
            int(device_end), int(size), unescaped(detail), int(graph), int(graph_node)))

    def add_collective(self, span, communicator, rank, ranks, sequence, operation, peer, size, arrival, ready, end,
                       thread, function, nth):
        self.process.collectives.append(Collective(
            int(span), self.names[int(communicator)], int(rank), int(ranks), int(sequence), unescaped(operation),
            int(peer), int(size), int(arrival), int(ready), int(end), self.call(thread, function, nth)))

    def add_announcement(self, what, index, edge, thread, time):
        begins = {"begin": True, "end": False}[edge]
        self.process.announcements.append(Announcement(unescaped(what), int(index), begins, int(thread), int(time)))

    def add_injection(self, what, device, start, end):
        self.process.injections.append(InjectionStrike(unescaped(what), int(device), int(start), int(end)))

    def add_end(self, time):
        self.process.end = int(time)
