"""docs/reliability.md lists the faults that the tests of this folder try."""

import pathlib

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reliability.md"


def test_the_document_lists_every_fault(table):
    tried = {row["title"]: (row["loses"], row["says"]) for row in table.rows.values()}
    assert table.rows_of(DOCUMENT) == tried, "run scripts/stress --times 1"
