"""The program's answers besides reports: whatif, diff, health. Each runs it and gives its JSON document as types."""

import json
import os
import typing

from tauprof import command, documents, sections, shown
from tauprof.command import TauprofError
from tauprof.shown import counted, duration

Path = typing.Union[str, "os.PathLike[str]"]
Paths = typing.Union[Path, typing.Sequence[Path]]

FAILED_CHECK = 5  # exit status: it answered, and a limit is exceeded


class Answers(documents.Document, sections.Answers):
    def __repr__(self) -> str:
        answers = ["{}: {}".format(", ".join(one.changes), "not known ({})".format(one.reason) if one.step_ns is None
                                   else duration(one.step_ns)) for one in self.scenarios]
        return "<tauprof.whatif: {} of {}; {}>".format(self.unit, duration(self.step_ns), "; ".join(answers))

    def _repr_html_(self) -> str:
        return shown.answers_of(self.json)


class Checklist(documents.Document, sections.Checklist):
    def __repr__(self) -> str:
        named = [(outcome, [check.id for check in self.checks if check.outcome == outcome])
                 for outcome in ("fail", "unknown", "pass")]
        return "<tauprof.health: {}>".format(", ".join(
            "{} {}".format(len(checks), outcome) + (" ({})".format(", ".join(checks)) if outcome == "fail" and checks else "")
            for outcome, checks in named))

    def _repr_html_(self) -> str:
        return shown.checks_of(self.json)


class Diff(documents.Document, sections.Diff):
    def __repr__(self) -> str:
        return "<tauprof.diff: {} against {}: {}>".format(counted(len(self.a.runs), "run"), len(self.b.runs),
                                                          self.verdict.text)

    def _repr_html_(self) -> str:
        return shown.change_of(self.json)


def whatif(path: Paths, *questions: str) -> Answers:
    """How long steps would be: whatif("logs", "--fix", "rank:3", "--or", "--without", "stalls")."""
    return _ask(Answers, "whatif", *command.paths(path), *questions)


def health(path: Paths, *options: str) -> Checklist:
    """The checklist of a run: a check each that passes, fails, or cannot be told."""
    return _ask(Checklist, "health", *command.paths(path), *options)


def diff(a: Paths, against: Paths, *options: str) -> Diff:
    """The change: `a` is judged, `against` is what it is compared with; several paths are several runs of a side."""
    return _ask(Diff, "diff", *command.paths(a), "--against", *command.paths(against), *options)


def _ask(kind: type, verb: str, *words: str) -> typing.Any:
    """The document that the program answers. Raises TauprofError with what it says where it has no answer."""
    done = command.run(verb, *words, "--json", "-", capture_output=True)
    if done.returncode not in (0, FAILED_CHECK):
        said = done.stderr.decode("utf-8", "replace").strip()
        raise TauprofError(said or "tauprof {}: status {}".format(verb, done.returncode))
    return documents.read(kind, documents.with_keys(json.loads(done.stdout)))
