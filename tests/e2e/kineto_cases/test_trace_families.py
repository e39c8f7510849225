"""Traces of each family: steps, kernel times and busy time are those that are true."""

import json

import pytest

from trace_families import DIALECTS, REFUSED, trace_of
from traces_document import busy_ns, document, kernels_of, phases_of, read

WITH_STEPS = [dialect for dialect in DIALECTS if dialect.has_steps]


def report_of(tauprof, folder, dialect):
    trace, truth = trace_of(dialect)
    (folder / "trace.json").write_text(json.dumps(trace))
    report, said = read(tauprof, folder / "trace.json", folder / "logs")
    assert report is not None, said
    return report, truth


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_kernels_and_busy_time_are_right(tauprof, tmp_path, dialect):
    report, truth = report_of(tauprof, tmp_path, dialect)
    kernels = kernels_of(report)
    # HTA's own breakdown is of the whole trace where it has no markers, whatever the steps are.
    if not dialect.has_steps:
        assert report["per_rank"][0]["hta"]["compute_time_us"] == truth.kernel_ns / 1_000
        assert report["quality"]["unmatched_spans"] == report["quality"]["dropped"] == 0
        return
    assert sum(kernel["count"] for kernel in kernels) == truth.kernels
    assert sum(kernel["total_ns"] for kernel in kernels) == truth.kernel_ns
    assert busy_ns(report) == truth.busy_ns
    assert report["ledger"]["rows"]["exposed_copy"] == truth.busy_ns - truth.kernel_ns
    assert report["quality"]["dropped"] == 0
    assert report["run"]["ranks"] == report["run"]["device_count"] == 1
    spans = sum(kernel["count"] for kernel in report["kernels"])
    assert spans - report["quality"]["unmatched_spans"] == truth.launched


@pytest.mark.parametrize("dialect", WITH_STEPS, ids=lambda dialect: dialect.name)
def test_steps_are_those_that_are_marked(tauprof, tmp_path, dialect):
    report, truth = report_of(tauprof, tmp_path, dialect)
    assert report["steps"]["count"] == truth.steps
    assert report["steps"]["detected_by"] == "marker ProfilerStep#"
    assert [step["step"] for step in report["steps"]["list"]] == [3, 4, 5, 6]
    assert {step["duration_ns"] for step in report["steps"]["list"][1:-1]} == {10_000_000}
    assert "optim_step" in phases_of(report)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_trace_is_refused_in_one_line(tauprof, tmp_path, name):
    content, line = REFUSED[name]
    (tmp_path / name).write_bytes(content)
    report, said = read(tauprof, tmp_path / name, tmp_path / "logs")
    assert report is None
    assert sum(line in one for one in said) == 1, said


def test_the_document_has_a_row_for_each_family(tauprof, tmp_path):
    given = tmp_path / "given-traces" / "job"
    given.mkdir(parents=True)
    (given / "rank-0.json").write_text(json.dumps(trace_of(DIALECTS[0])[0]))
    (tmp_path / "work").mkdir()
    text = document(tauprof, tmp_path / "given-traces", tmp_path / "work", "scripts/traces given-traces")
    for dialect in DIALECTS:
        assert f"| {dialect.name} |" in text
    assert "| job (1 file) | PyTorch 1.8 to 1.11 |" in text and "refused: " in text
