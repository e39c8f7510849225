"""What the program answers besides reports: whatif, diff, health. Each runs it and gives its JSON document."""

import json
import os
import subprocess
import typing

from tauprof import command
from tauprof.command import TauprofError
from tauprof.known import Keys
from tauprof.shown import counted, duration

Path = typing.Union[str, "os.PathLike[str]"]
Paths = typing.Union[Path, typing.Sequence[Path]]

FAILED_CHECK = 5  # exit status: it answered, and a limit is exceeded


class Answer(Keys):
    """A document as the program wrote it: a dict, which says in a line what is in it."""

    def __repr__(self) -> str:
        says = {"tauprof.whatif": _scenarios, "tauprof.health": _outcomes, "tauprof.diff": _verdict}
        kind = str(self.get("schema", "")).split("/")[0]
        return "<{}: {}>".format(kind, says[kind](self)) if kind in says else dict.__repr__(self)


def whatif(path: Paths, *questions: str) -> Answer:
    """How long steps would be: whatif("logs", "--fix", "rank:3", "--or", "--without", "stalls")."""
    return ask("whatif", *command.paths(path), *questions)


def health(path: Paths, *options: str) -> Answer:
    """The checklist of a run: a check each that passes, fails, or cannot be told."""
    return ask("health", *command.paths(path), *options)


def diff(a: Paths, against: Paths, *options: str) -> Answer:
    """What changed: `a` is judged, `against` is what it is compared with; several paths are several runs of a side."""
    return ask("diff", *command.paths(a), "--against", *command.paths(against), *options)


def ask(verb: str, *words: str) -> Answer:
    """The JSON document that the program answers. Raises TauprofError with what it says where it has no answer."""
    done = subprocess.run([command.path(), verb, *words, "--json", "-"], capture_output=True)
    if done.returncode not in (0, FAILED_CHECK):
        said = done.stderr.decode("utf-8", "replace").strip()
        raise TauprofError(said or "tauprof {}: status {}".format(verb, done.returncode))
    return _with_keys(json.loads(done.stdout), Answer)


def _with_keys(value: typing.Any, kind: type = Keys) -> typing.Any:
    if isinstance(value, dict):
        return kind({key: _with_keys(one) for key, one in value.items()})
    return [_with_keys(one) for one in value] if isinstance(value, list) else value


def _scenarios(answer: Answer) -> str:
    answers = ["{}: {}".format(", ".join(one["changes"]),
                               "not known ({})".format(one["reason"]) if one["step_ns"] is None
                               else duration(one["step_ns"])) for one in answer["scenarios"]]
    return "{} of {}; {}".format(answer["unit"], duration(answer["step_ns"]), "; ".join(answers))


def _outcomes(answer: Answer) -> str:
    named = [(outcome, [check["id"] for check in answer["checks"] if check["outcome"] == outcome])
             for outcome in ("fail", "unknown", "pass")]
    return ", ".join("{} {}".format(len(checks), outcome) + (" ({})".format(", ".join(checks)) if outcome == "fail" and checks else "")
                     for outcome, checks in named)


def _verdict(answer: Answer) -> str:
    return "{} against {}: {}".format(counted(len(answer["a"]["runs"]), "run"), len(answer["b"]["runs"]),
                                      answer["verdict"]["text"])
