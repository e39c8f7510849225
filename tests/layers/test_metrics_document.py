"""docs/metrics.md names everything that a report says: keys, rows, phases, causes, findings."""

import pathlib
import re

import key_tables
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOCUMENT = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`\n]+)`")


def chapter(heading):
    """From a heading to the next of its rank or above."""
    rank = heading.index(" ")
    text = DOCUMENT[DOCUMENT.index(f"\n{heading}\n") + len(heading) + 2:]
    end = re.search(rf"^#{{1,{rank}}} ", text, re.MULTILINE)
    return text[:end.start()] if end else text


@pytest.mark.parametrize("path", key_tables.DOCUMENTS, ids=lambda path: path.name)
def test_the_tables_are_those_of_the_lists(path):
    assert key_tables.document(path) == path.read_text(encoding="utf-8"), "run scripts/report-keys"


def test_the_tables_are_there():
    assert len(list(key_tables.findings())) > 30 and len(key_tables.FINDINGS.findall(DOCUMENT)) == 1


def test_every_section_has_its_table():
    tables = key_tables.KeyTables(key_tables.schema())
    sections = [name for name, of in tables.sections["properties"].items()
                if key_tables.object_in(of) not in (None, *tables.shared)]
    assert len(sections) > 20
    written = [name for path in key_tables.DOCUMENTS for name in key_tables.BLOCK.findall(path.read_text(encoding="utf-8"))]
    whole = [key_tables.WHOLE + name for name in ("brief", "diff", "health", "whatif")]
    assert sorted(written) == sorted([*sections, "report", "shared", *whole])


EXPLAINED = set(CODE.findall(DOCUMENT.split("## The JSON report\n")[0]))


def test_every_phase_is_explained():
    text = (ROOT / "analyzer/model/phase.h").read_text(encoding="utf-8")
    names = re.findall(r'"(\w+)"', text[text.index("kPhaseNames ="):].split(";")[0])
    assert names and set(names) - EXPLAINED == set()


@pytest.mark.parametrize("table, row", [
    ("analyzer/model/ledger.def", "LEDGER_ROW"),
    ("analyzer/metrics/stragglers/causes.def", "CAUSE"),
])
def test_every_row_of_the_tables_is_explained(table, row):
    names = re.findall(rf'^{row}\(\w+, "(\w+)"', (ROOT / table).read_text(encoding="utf-8"), re.MULTILINE)
    assert names and set(names) - EXPLAINED == set()
