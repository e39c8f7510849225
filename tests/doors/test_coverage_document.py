"""docs/coverage.md names a test for each kind of program, and each program that is built here."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
PROGRAMS = re.compile(r"add_(?:training|executable)\((training_\w+|driver_\w+)")


def table_rows():
    rows = [line for line in DOCUMENT.splitlines() if line.startswith("| ") and "`tests/" in line]
    assert rows
    return rows


def test_each_proof_exists():
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", DOCUMENT):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path} has no {name}"
    tests_here = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/doors/test_*.py"))
    for name in re.findall(r"[(]`(test_\w+)`[)]", DOCUMENT):
        assert f"def {name}(" in tests_here, name


def test_each_row_has_a_proof_and_says_whether_a_gpu_has_shown_it():
    for row in table_rows():
        proof, where = [cell.strip() for cell in row.strip("|").split("|")][-2:]
        assert "::test_" in proof and where in ("simulated", "GPU"), row


def test_each_program_is_in_the_table():
    built = set(PROGRAMS.findall((ROOT / "tests" / "doors" / "CMakeLists.txt").read_text(encoding="utf-8")))
    assert built and built <= set(re.findall(r"[(]`(\w+)`[)]", DOCUMENT))
