"""Asks `tauprof whatif` about jobs of asked_jobs.py, and scores its answers by kind of job and kind of question."""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
import statistics
import subprocess
import tempfile

from asked_jobs import NULL_IS_RIGHT, draw_asked

TOLERANCE = 0.03  # of the measured step: how far a right answer may be off
ROUNDING = 0.001  # of the step, at both ends of an interval
MISS = 40  # what an interval's score adds for a miss, times its distance: 2 / 0.05, for an interval of 95 %


@dataclasses.dataclass
class Answer:
    """Savings are shares of the measured step."""

    number: int
    job: str
    question: str
    options: str
    truth: float
    saves: float | None = None  # None: not known
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    explained: float | None = None

    @property
    def is_right(self):
        if self.saves is None:
            return self.job in NULL_IS_RIGHT
        return abs(self.saves - self.truth) <= TOLERANCE

    @property
    def distance(self):
        """By how much the interval misses the truth."""
        return max(0.0, self.low - ROUNDING - self.truth, self.truth - self.high - ROUNDING)

    @property
    def score(self):
        return self.high - self.low + MISS * self.distance

    def __str__(self):
        said = self.reason if self.saves is None else f"{self.saves:.2%} [{self.low:.2%}, {self.high:.2%}]"
        return f"{self.number} {self.job}: {self.options}: {said}; true {self.truth:.2%}"


def whatif(tauprof, logs, questions):
    words = [word for place, question in enumerate(questions)
             for word in (["--or"] if place else []) + question.options]
    return subprocess.run([tauprof, "whatif", logs, *words, "--json", "-"], capture_output=True, text=True)


def answers_of(tauprof, logs, questions):
    """[(question, what is said of the run and of the question)], or why nothing is said."""
    done = whatif(tauprof, logs, questions)
    if done.returncode == 0:
        said = json.loads(done.stdout)
        return [(question, {"measured_ns": said["step_ns"]} | said | scenario)
                for question, scenario in zip(questions, said["scenarios"], strict=True)]
    if len(questions) == 1:
        return [(questions[0], {"saves_ns_per_step": None, "reason": done.stderr.strip()})]
    return [one for question in questions for one in answers_of(tauprof, logs, [question])]


def written(tauprof, asked, folder):
    """The job's logs."""
    asked.job.write(folder / "traces", asked.clock_errors, asked.without)
    subprocess.run([tauprof, "import", "kineto", folder / "traces", "-o", folder / "logs"], check=True,
                   capture_output=True)
    return folder / "logs"


def judge(tauprof, number):
    """The answers to all questions about the job of this number."""
    asked = draw_asked(number)
    with tempfile.TemporaryDirectory() as name:
        said = answers_of(tauprof, written(tauprof, asked, pathlib.Path(name)), asked.questions)
    return [answer_of(asked, question, found) for question, found in said]


def answer_of(asked, question, said):
    answer = Answer(asked.number, asked.kind, question.kind, " ".join(question.options), question.truth / asked.step,
                    reason=said["reason"], explained=said.get("explained_share"))
    if said["saves_ns_per_step"] is not None:
        keys = ("saves_ns_per_step", "saves_low_ns_per_step", "saves_high_ns_per_step")
        saves, low, high = (None if said.get(key) is None else said[key] / 1_000 / asked.step for key in keys)
        # Without an interval the point is its own.
        answer.saves, answer.low, answer.high = saves, saves if low is None else low, saves if high is None else high
    return answer


# --- tables ---------------------------------------------------------------------------------------------------------
def wilson(right, of):
    """The share that is right, with 95 % confidence."""
    z, share = 1.96, right / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def row(title, answers):
    right = sum(one.is_right for one in answers)
    low, high = wilson(right, len(answers))
    known = [one for one in answers if one.saves is not None]
    explained = [one.explained for one in answers if one.explained is not None]

    def mean(values, digits):
        return f"{statistics.mean(values):.{digits}%}" if values else "–"

    return (f"| {title} | {right} of {len(answers)} ({low:.0%} to {high:.0%}) | "
            f"{sum(one.distance == 0 for one in known)} of {len(known)} | "
            f"{mean([one.high - one.low for one in known], 2)} | {len(answers) - len(known)} | "
            f"{mean([one.score for one in known], 1)} | {mean(explained, 0)} |")


def table(title, key, answers):
    groups = {}
    for one in answers:
        groups.setdefault(key(one), []).append(one)
    return "\n".join([f"| {title} | right | covered | width | not known | interval score | explained |",
                      "| --- | --- | --- | --- | --- | --- | --- |",
                      *(row(value, group) for value, group in sorted(groups.items())), row("all", answers)]) + "\n"


CHAPTER = f"""## What if

`scripts/accuracy --asked` draws PyTorch programs as models of their events ([tests/accuracy/asked_jobs.py](../tests/accuracy/asked_jobs.py)), writes traces of them as PyTorch's profiler would, and asks `tauprof whatif` about each. The truth is the mean step of the same job, without warm-up, computed again with the change and the same random draws. The model shares no code with the analyzer. A saving is right if it is within {TOLERANCE:.0%} of the measured step, and "not known" is right only if nobody can know how long ranks wait in collectives, because logs of peers are missing. An interval covers the truth if that lies inside, give or take {ROUNDING:.1%} of the step; widths are shares of the step. The interval score is the mean of the width plus {MISS} times the distance of a miss: less is better.
"""


def chapter(answers):
    wrong = [str(one) for one in answers if not one.is_right]
    return "\n".join([CHAPTER, table("job", lambda one: one.job, answers),
                      table("question", lambda one: one.question, answers),
                      "What was wrong:\n" if wrong else "All were right.", *(f"- {one}" for one in wrong)]) + "\n"
