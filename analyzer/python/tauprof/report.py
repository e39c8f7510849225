"""Reads a run's report: runs `tauprof analyze --json`, or opens what it wrote, and gives it as types and tables."""

import dataclasses
import gzip
import json
import os
import subprocess
import typing

from tauprof import command, sections


class TauprofError(Exception):
    """What tauprof said about an input that it cannot use."""


class Report(sections.Sections):
    """A report. `json` is the document as tauprof wrote it."""

    json: dict

    def table(self, section):
        """A list of the report as a pandas DataFrame, one row an element: "kernels", "steps.list", "per_rank" ….

        Nested values get columns like "ledger.compute". Raises KeyError for what is no list."""
        import pandas

        rows = self.json
        for key in section.split("."):
            rows = rows[key] if isinstance(rows, dict) else None
        if not isinstance(rows, list):
            raise KeyError("{} is no list of the report".format(section))
        return pandas.json_normalize(rows)


def load(path, *options):
    """The report of `path`: logs, traces of the PyTorch profiler, folders of them, a list of such, or a report written
    by `tauprof analyze --json`, whatever its name.

    `options` go to `tauprof analyze`: load("logs", "--ranks", "0-3"). Raises TauprofError with what tauprof says where
    there is nothing to analyse."""
    paths = command.paths(path)
    if len(paths) == 1 and _is_report(paths[0]):
        with _opened(paths[0]) as file:
            return of_json(json.loads(file.read()))
    done = subprocess.run([command.path(), "analyze", *paths, "--json", "-", *options], capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise TauprofError(said or "tauprof analyze {}: status {}".format(paths[0], done.returncode))
    return of_json(json.loads(done.stdout))


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


def of_json(document):
    """A report from its JSON document. Keys that this version does not know stay in `json` alone."""
    if not str(document.get("schema", "")).startswith("tauprof.report/"):
        raise TauprofError("not a report of tauprof: no schema tauprof.report")
    report = _value(Report, document)
    report.json = document
    return report


def key_of(field):
    """The report's key of a dataclass field."""
    return field.name.rstrip("_")


def _value(kind, value):
    if value is None:
        return None
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union:
        known = [one for one in arguments if one is not type(None)]
        return _value(known[0], value) if len(known) == 1 else value
    if origin is list:
        return [_value(arguments[0], one) for one in value]
    if origin is dict:
        return {key: _value(arguments[1], one) for key, one in value.items()}
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        given = {}
        for field in dataclasses.fields(kind):
            if key_of(field) in value:
                given[field.name] = _value(hints[field.name], value[key_of(field)])
            elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
                given[field.name] = None  # a report of another version
        return kind(**given)
    return value
