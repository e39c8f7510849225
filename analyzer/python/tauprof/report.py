"""Reads a run's report: runs `tauprof analyze --json`, or opens what it wrote, and gives it as types and tables."""

import gzip
import json
import os
import sys
import tempfile
import typing

from tauprof import command, documents, sections, shown, verbs
from tauprof.command import TauprofError
from tauprof.known import Keys, UnknownKey, no_such

# Which of the options of `tauprof analyze` other commands have.
RUN = ("--run", "--ranks", "--steps")
OPTIONS_OF = {
    "whatif": (*RUN, "--rules", "--step-time", "--host-times"),
    "health": (*RUN, "--batch", "--tokens", "--model-flops", "--peak-tflops", "--link-gbps"),
}


class WhatIf(sections.WhatIf):
    """The run replayed, as the report has it; called with questions, it asks `tauprof whatif` about the same run."""

    _ask: typing.Callable[..., verbs.Answers]

    def __call__(self, *questions: str) -> verbs.Answers:
        """How long this run's steps would be: report.whatif("--fix", "rank:3"), with the options of `tauprof whatif`."""
        return self._ask(*questions)


class Report(documents.Document, sections.Sections):
    """A report."""

    whatif: WhatIf  # a section of the report, and a verb
    paths: typing.Sequence[str] = ()  # what it was made of; empty: it was read from a document
    options: typing.Sequence[str] = ()  # of `tauprof analyze`

    def __repr__(self) -> str:
        return shown.line_of(self.json)

    def _repr_html_(self) -> str:
        return shown.table_of(self.json)

    def tables(self) -> typing.List[str]:
        """The names that `table` takes."""
        return sorted(_lists_in(self.json))

    def table(self, section: str):
        """A list of the report as a pandas DataFrame, one row an element: "kernels", "steps.list", "per_rank" ….

        Nested values get columns like "ledger.compute". Raises KeyError with the tables that there are."""
        lists = _lists_in(self.json)
        if section not in lists:
            raise UnknownKey(no_such("list of the report", section, sorted(lists)))
        try:
            import pandas
        except ImportError:
            raise ImportError("a table needs pandas, which {} lacks: pip install pandas; report.json has the same list".format(
                sys.executable)) from None

        return pandas.json_normalize(lists[section])

    def _ask_whatif(self, *questions: str) -> verbs.Answers:
        return verbs.whatif(self._logs("whatif"), *questions, *self._options_of("whatif"))

    def health(self, *options: str) -> verbs.Checklist:
        """The checklist of this run, as `tauprof health` gives it."""
        return verbs.health(self._logs("health"), *options, *self._options_of("health"))

    def diff(self, against: "typing.Union[Report, verbs.Paths]", *options: str) -> verbs.Diff:
        """The change from `against` (a report or a path) to this run, as `tauprof diff` tells from their reports."""
        with tempfile.TemporaryDirectory(prefix="tauprof-") as folder:
            sides = [_document_in(folder, name, one) if isinstance(one, Report) else one
                     for name, one in (("this", self), ("against", against))]
            return verbs.diff(*sides, *options)

    def _logs(self, verb: str) -> typing.Sequence[str]:
        if not self.paths:
            raise TauprofError("{} needs the logs, and this report was read from a document: use tauprof.{}(path)".format(
                verb, verb))
        return self.paths

    def _options_of(self, verb: str) -> typing.List[str]:
        chosen: typing.List[str] = []
        for i, word in enumerate(self.options):
            name, equals, _ = word.partition("=")
            if name in OPTIONS_OF[verb]:
                chosen += [word] if equals else self.options[i:i + 2]
        return chosen


def _document_in(folder: str, name: str, report: Report) -> str:
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report.json, file)
    return path


def _lists_in(document: typing.Any, path: str = "") -> typing.Dict[str, list]:
    """Lists of objects, by the keys that lead there."""
    if isinstance(document, list):
        return {path: document} if all(isinstance(one, dict) for one in document) else {}
    found: typing.Dict[str, list] = {}
    for key, value in document.items() if isinstance(document, dict) else ():
        found.update(_lists_in(value, path + "." + key if path else key))
    return found


def load(path: verbs.Paths, *options: str) -> Report:
    """The report of `path`: logs, traces of the PyTorch profiler, folders of them, a list of such, or a report written
    by `tauprof analyze --json`, whatever its name.

    `options` go to `tauprof analyze`: load("logs", "--ranks", "0-3"). Raises TauprofError with what tauprof says where
    there is nothing to analyse."""
    paths = command.paths(path)
    if len(paths) == 1 and _is_report(paths[0]):
        with _opened(paths[0]) as file:
            return of_json(json.loads(file.read(), object_hook=Keys))
    done = command.run("analyze", *paths, "--json", "-", *options, capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise TauprofError(said or "tauprof analyze {}: status {}".format(paths[0], done.returncode))
    report = of_json(json.loads(done.stdout, object_hook=Keys))
    report.paths, report.options = paths, [os.fspath(option) for option in options]
    return report


def _opened(path):
    with open(path, "rb") as file:
        return (gzip.open if file.read(2) == b"\x1f\x8b" else open)(path, "rb")


def _is_report(path):
    """Whether a file starts as tauprof's reports do, with their schema."""
    if not os.path.isfile(path):
        return False
    try:
        with _opened(path) as file:
            return b'"tauprof.report/' in file.read(1 << 10)
    except (OSError, EOFError):
        return False  # tauprof says why


def of_json(document: dict) -> Report:
    """A report from its JSON document. Keys that this version does not know stay in `json` alone."""
    if not str(document.get("schema", "")).startswith("tauprof.report/"):
        raise TauprofError("not a report of tauprof: no schema tauprof.report")
    report = documents.read(Report, document)
    if report.whatif is not None:
        report.whatif._ask = report._ask_whatif
    return report
