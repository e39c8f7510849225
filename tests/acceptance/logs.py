"""The contents of the logs of a run, as `tauprof` reads them."""

from __future__ import annotations

import collections
import json
import os
import re
import subprocess
import sys

from pieces import LOG_READER

sys.path.insert(0, str(LOG_READER))

from recorded_log import read_log  # noqa: E402

DEVICE_WORK = ("kernel", "memcpy", "memset")


class Logs:
    def __init__(self, pieces, run):
        self.pieces, self.run = pieces, run

    def tell(self, *arguments):
        """The command, without what is preloaded into programs."""
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        return subprocess.run([str(self.pieces.tauprof), *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, check=False, env=environment)

    def are_whole(self):
        return self.tell("check", self.run.logs).returncode == 0

    def report(self, *options):
        """The JSON report; {}: there is none."""
        done = self.tell("analyze", self.run.logs, *options, "--json", "-")
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def read(self):
        return [LogContents(read_log(str(self.pieces.tauprof), path)) for path in self.run.log_files()]

    def read_one(self):
        """The only log; None: there is none, or there are several."""
        contents = self.read()
        return contents[0] if len(contents) == 1 else None

    def count_device_work(self):
        """For each log a Counter of its kinds of device work. For logs that are too long to read as a whole."""
        counts = []
        for path in self.run.log_files():
            listed = self.tell("dump", "--kind", "device_activity", path).stdout
            counts.append(collections.Counter(re.findall(r"\bactivity=(kernel|memcpy|memset)\b", listed)))
        return counts


class LogContents:
    def __init__(self, log):
        self.log, self.rows = log, log.rows

    def work(self, *activities):
        return [row for row in self.rows["device_activity"] if row["activity"] in (activities or DEVICE_WORK)]

    def without_call(self):
        return sum(self.log.owner(row["correlation"]) is None for row in self.work())

    def drops(self, kind="device_activity"):
        counts = collections.Counter()
        for row in self.rows["drop"]:
            if row["kind"] == kind:
                counts[row["reason"]] += row["count"]
        return counts

    def gaps(self):
        return collections.Counter(row["reason"] for row in self.rows["gap"])

    def attribute(self, name):
        return next((row["value"] for row in self.rows["attribute"] if row["name"] == name), None)

    def cupti_version(self):
        return int(self.attribute("version.cupti") or 0)
