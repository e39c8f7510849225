"""docs/metrics.md names everything that a report says: keys, rows, phases, causes, findings."""

import json
import pathlib
import re
import subprocess

import pytest
from programs import program

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`\n]+)`")

# A job in which nearly everything goes wrong, so that the lists of its report are not empty.
JOB = "--ranks 4 --stall 3:*=20ms --gap 1:2=10ms --drop 1:2=5 --graph"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    logs = tmp_path_factory.mktemp("job") / "logs"
    subprocess.run([program("TAUPROF_GENERATE"), *JOB.split(), "--out", logs], check=True, capture_output=True)
    printed = subprocess.run([program("TAUPROF_BIN"), "analyze", logs, "--json", "-"], check=True, capture_output=True)
    return json.loads(printed.stdout)


def chapter(heading):
    """From a heading to the next of its rank or above."""
    rank = heading.index(" ")
    text = DOCUMENT[DOCUMENT.index(f"\n{heading}\n") + len(heading) + 2:]
    end = re.search(rf"^#{{1,{rank}}} ", text, re.MULTILINE)
    return text[:end.start()] if end else text


def keys_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def test_every_key_is_named_where_it_belongs(report):
    shared = set(CODE.findall(chapter("## The JSON report").split("\n### ")[0]))
    reasons = set(report["quality"]["dropped_by_reason"])
    for section, value in report.items():
        named = shared | set(CODE.findall(chapter(f"### `{section}`")))
        assert set(keys_of(value)) - named - reasons == set(), f"missing from the chapter on {section}"


def test_the_job_reaches_the_lists(report):
    assert report["stragglers"]["found"] and report["quality"]["gaps"] and report["quality"]["unclassified_kernels"]
    assert report["collectives"] and report["findings"] and report["quality"]["dropped_by_reason"]


@pytest.mark.parametrize("source, list_of_names", [
    ("analyzer/model/ledger.h", "kLedgerRowNames"),
    ("analyzer/model/phase.h", "kPhaseNames"),
    ("analyzer/metrics/stragglers/cause.h", "kCauseNames"),
])
def test_every_name_is_explained(source, list_of_names):
    text = (ROOT / source).read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)"', text[text.index(f"{list_of_names} ="):].split(";")[0])
    assert names and set(names) - set(CODE.findall(DOCUMENT.split("## The JSON report\n")[0])) == set()


def findings_of_the_table():
    """Of each row of findings.def: its name, and when it is reported."""
    text = (ROOT / "analyzer" / "findings" / "findings.def").read_text(encoding="utf-8")
    for row in re.split(r"^FINDING\(", text, flags=re.MULTILINE)[1:]:
        arguments = re.findall(r'(?:"(?:[^"\\]|\\.)*"\s*)+', row)  # adjacent literals are one
        literals = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', one)).replace('\\"', '"') for one in arguments]
        yield literals[0], literals[-1]


def test_every_finding_is_listed():
    listed = re.findall(r"^\| `([a-z0-9-]+)` \| (.*) \|$", chapter("## Findings"), re.MULTILINE)
    assert listed == list(findings_of_the_table()), "the rows in docs/metrics.md, as findings.def has them"
