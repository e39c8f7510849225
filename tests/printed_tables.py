"""Whether a printed report fits the terminal, and the columns of its tables stand below each other."""

import os
import re
import subprocess

WIDTHS = (80, 100, 140)
HEADS = ("host", "host (issuing)", "device (running)", "rank", "stage", "groups", "communicator", "operation", "count",
         "above ideal", "time", "share", "total", "difference", "row", "phase")


def fields(line):
    return re.split(r" {2,}", line.strip())


def tables(text):
    """Of each table the lines, the head first."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("  ") and len(fields(line)) > 2 and fields(line)[0] in HEADS:
            end = number + 1
            while end < len(lines) and lines[end].startswith("  ") and len(fields(lines[end])) > 1:
                end += 1
            yield lines[number:end]


def columns(table):
    """How many columns stand apart in all lines."""
    width = max(map(len, table))
    is_taken = [any(line.ljust(width)[at] != " " for line in table) for at in range(width)]
    return len(re.findall("#+(?: #+)*", "".join("#" if taken else " " for taken in is_taken)))


def check(tauprof, logs, *options, command="analyze"):
    """At each width; the texts by width."""
    texts = {}
    for width in WIDTHS:
        environment = {**os.environ, "COLUMNS": str(width)}
        done = subprocess.run([tauprof, command, *map(str, (logs, *options))], capture_output=True, text=True,
                              check=True, env=environment)
        texts[width] = done.stdout
        # A word that is longer than a line, such as the path of a program, stays whole.
        long = [line for line in done.stdout.split("\n") if len(line) > width and len(line.split()) > 1]
        assert not long, f"at {width}:\n" + "\n".join(long)
        for table in tables(done.stdout):
            assert columns(table) >= len(fields(table[0])), f"at {width}:\n" + "\n".join(table)
    return texts
