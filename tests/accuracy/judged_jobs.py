"""Generates a job, analyses it, and compares who is blamed, and for what, with the truth."""

from __future__ import annotations

import dataclasses
import functools
import json
import pathlib
import statistics
import subprocess
import tempfile

from jobs import PLACES, draw_clean_job, draw_job, without_defects


@dataclasses.dataclass
class Price:
    """The saving from repairing some ranks, by the report and in truth, as shares of the step."""

    ranks: list
    gain: float
    saves: float | None
    reason: str | None

    @property
    def error(self):
        return abs(self.saves - self.gain)


@dataclasses.dataclass
class Verdict:
    job: object
    found: dict  # {rank: cause}
    missing: list
    places: dict  # {rank: where}
    prices: list  # of the findings about ranks in which something is wrong, and no others
    named: set  # ranks that any finding is about

    @property
    def blames_nobody(self):
        return not self.found and not self.named

    @property
    def is_rank_right(self):
        if self.job.missing is not None:
            return self.missing == [self.job.missing] and not self.found
        return set(self.found) == set(self.job.causes)

    @property
    def is_cause_right(self):
        return self.job.missing is not None or self.found == self.job.causes

    @property
    def is_place_right(self):
        return not self.job.has_places or all(PLACES[cause] in (self.places.get(rank) or "")
                                              for rank, cause in self.job.causes.items() if cause in PLACES)


class Judge:
    def __init__(self, tauprof, generate):
        self.tauprof, self.generate = tauprof, generate

    def run(self, command):
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        if finished.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))} ended with {finished.returncode}: {finished.stderr}")
        return finished.stdout

    def report(self, options):
        with tempfile.TemporaryDirectory() as folder:
            logs = pathlib.Path(folder) / "logs"
            self.run([self.generate, *options.split(), "--out", logs])
            return json.loads(self.run([self.tauprof, "analyze", logs, "--json", "-"]))

    @functools.cache
    def step_of(self, options):
        report = self.report(options)
        rows = report["ledger"]["rows"]
        steps = [step["duration_ns"] for step in report["steps"]["list"]]
        return statistics.mean(steps[1:]), rows["compute"] / sum(rows.values())

    def mean_step(self, options):
        return self.report(options)["steps"]["duration_ns"]["mean"]

    @functools.cache
    def judge(self, number):
        return self.verdict(draw_job(number, self.step_of))

    def judge_clean(self, number):
        return self.verdict(draw_clean_job(number))

    def verdict(self, job):
        report = self.report(job.options)
        found = {row["rank"]: row["cause"] for row in report["stragglers"]["found"]}
        places = {rank: finding.get("where") for finding in report["findings"] if finding["id"] == "straggler"
                  for rank in finding["ranks"]}
        prices = [self.price(job, report, finding) for finding in report["findings"]
                  if finding["id"] == "straggler" and finding["ranks"] and set(finding["ranks"]) <= set(job.causes)]
        named = {rank for finding in report["findings"] for rank in finding["ranks"]}
        return Verdict(job, found, report["run"]["missing_ranks"], places, prices, named)

    def price(self, job, report, finding):
        step = report["steps"]["duration_ns"]["mean"]
        repaired = self.mean_step(without_defects(job.options, finding["ranks"]))
        saves = finding["saves_ns_per_step"]
        return Price(finding["ranks"], 1 - repaired / step, None if saves is None else saves / step,
                     finding["saves_reason"])
