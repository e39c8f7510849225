"""docs/gpu-acceptance.md names every check, and each has a name of its own."""

import pathlib

from check_list import CHECKS

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "gpu-acceptance.md"


def test_the_document_names_every_check():
    text = DOCUMENT.read_text(encoding="utf-8")
    names = [check.name for check in CHECKS if not check.name.startswith(("scenario-", "price-"))]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_no_two_checks_have_one_name():
    assert len({check.name for check in CHECKS}) == len(CHECKS)
