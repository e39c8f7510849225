"""docs/coverage.md is what scripts/coverage writes, and has each program that is built here."""

import json
import pathlib
import re

from coverage_table import DOCUMENT, ROOT, ROWS, document_with, passed_on_a_gpu, table, text_of

PROGRAMS = re.compile(r"add_(?:training|executable)\((training_\w+|driver_\w+)")


def has_test(path, name):
    return f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")


def test_the_document_has_the_table():
    assert DOCUMENT.read_text(encoding="utf-8") == document_with(table()), "run scripts/coverage"


def test_a_line_names_the_gpus_on_which_its_check_passed(tmp_path):
    row = next(row for row in ROWS if row.check)
    for name, gpu, simulated, outcome in (("one", "Some GPU, 600.1, 9 MiB", False, "passed"),
                                          ("two", "Another, 600.1, 9 MiB", False, "failed"),
                                          ("three", "No GPU, 1, 1 MiB", True, "passed")):
        told = {"machine": {"simulated": simulated, "gpu_names": [gpu]}, "checks": [{"check": row.check, "outcome": outcome}]}
        (tmp_path / f"{name}.json").write_text(json.dumps(told), encoding="utf-8")
    assert text_of(row, passed_on_a_gpu(tmp_path)).endswith("| Some GPU |\n")
    assert text_of(row, {}).endswith("| simulated |\n")


def test_each_check_is_one_of_gpu_acceptance():
    listed = (ROOT / "docs" / "gpu-acceptance.md").read_text(encoding="utf-8")
    assert all(f"`{row.check}`" in listed for row in ROWS if row.check)


def test_each_proof_exists():
    for row in ROWS:
        assert has_test(*row.proof.split("::")), row.proof
    tests_here = "".join(path.read_text(encoding="utf-8") for path in pathlib.Path(__file__).parent.glob("test_*.py"))
    for name in re.findall(r"[(]`(test_\w+)`[)]", DOCUMENT.read_text(encoding="utf-8")):
        assert f"def {name}(" in tests_here, name


def test_each_program_is_in_the_table():
    built = set(PROGRAMS.findall((ROOT / "tests" / "doors" / "CMakeLists.txt").read_text(encoding="utf-8")))
    assert built and built <= {row.built for row in ROWS}
