"""tauprof.load: the whole report, typed, and nothing lost; and the JSON schemas made from the same lists."""

import dataclasses
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import JOBS, PACKAGE, TRACES
from recorded_traces import RECORDED

import tauprof
from tauprof import documents, schema

ALL = (*JOBS, *TRACES, "operations")


def assert_same(value, document, where):
    if dataclasses.is_dataclass(value):
        fields = {documents.key_of(field): getattr(value, field.name) for field in dataclasses.fields(value)}
        assert document.keys() <= fields.keys(), f"{where}: no type knows {sorted(document.keys() - fields.keys())}"
        for key, inner in document.items():
            assert_same(fields[key], inner, f"{where}.{key}")
    elif isinstance(value, list):
        assert len(value) == len(document), where
        for one, inner in zip(value, document):
            assert_same(one, inner, f"{where}[]")
    elif isinstance(value, dict):
        assert value.keys() == document.keys(), where
        for key, inner in document.items():
            assert_same(value[key], inner, f"{where}.{key}")
    else:
        assert value == document, where


@pytest.mark.parametrize("name", ALL)
def test_every_value_of_the_report_has_a_type(logs, name):
    loaded = tauprof.load(logs(name))
    assert_same(loaded, loaded.json, "report")


@pytest.mark.parametrize("name", ALL)
def test_the_schema_describes_the_report(logs, name):
    validation = pytest.importorskip("jsonschema")
    if not hasattr(validation, "Draft202012Validator"):
        pytest.skip("this jsonschema is older than the draft of 2020-12")
    validator = validation.Draft202012Validator(schema.schema())
    errors = [f"{list(error.absolute_path)}: {error.message}"
              for error in validator.iter_errors(tauprof.load(logs(name)).json)]
    assert errors == []


def properties():
    return [(f"{document}: {name}.{key}", of) for document in schema.DOCUMENTS
            for name, described in schema.schema(document)["$defs"].items() for key, of in described["properties"].items()]


def test_every_key_has_a_sentence():
    assert len(properties()) > 500
    assert [key for key, of in properties() if len(of["description"].split()) < 1 or of["description"].endswith(".")] == []


def test_keys_in_nanoseconds_are_integers():
    times = [(key, of) for key, of in properties() if re.search(r"_ns(_|$)", key)]
    assert len(times) > 100
    assert [key for key, of in times if "number" in json.dumps({**of, "description": ""})] == []


def test_the_schema_has_the_names_of_values():
    of = schema.schema()["$defs"]
    assert "slow_compute" in of["Straggler"]["properties"]["cause"]["examples"]
    assert of["Finding"]["properties"]["severity"]["examples"] == ["info", "warning", "critical"]


def test_the_schemas_of_the_module_are_printed():
    def printed(*words):
        return subprocess.run([sys.executable, "-m", "tauprof.schema", *words], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": PACKAGE})

    assert json.loads(printed().stdout) == schema.schema()
    for document in schema.DOCUMENTS:
        assert json.loads(printed(document).stdout) == schema.schema(document)
    assert printed("foo").returncode == 1 and "'foo' is none of report" in printed("foo").stderr


def test_the_types_carry_the_numbers(logs):
    loaded = tauprof.load(logs("straggler"), "--steps", "2:5")
    assert [found.rank for found in loaded.stragglers.found] == [2]
    assert loaded.verdict.class_ == "straggler" and "Rank 2" in loaded.verdict.title
    assert sum(loaded.ledger.rows.values()) == loaded.ledger.sum_ns == loaded.ledger.step_ns
    assert loaded.steps.count == len(loaded.steps.list) == 4
    assert loaded.settings is None and loaded.mismatches == []


def test_a_written_report_loads_as_its_logs_do(logs, tmp_path):
    path = tmp_path / "report.json"
    subprocess.run(["tauprof", "analyze", logs("plain"), "--json", path], check=True, capture_output=True)
    assert tauprof.load(path) == tauprof.load(logs("plain"))


def test_traces_and_reports_of_any_name_load(logs, tmp_path):
    traces = RECORDED / "torchrec_sst2a"
    loaded = tauprof.load(traces)
    assert loaded.run.ranks == 4 and loaded.json["ledger"] == tauprof.load(sorted(traces.iterdir())).json["ledger"]
    written = tmp_path / "yesterday"
    written.write_text(json.dumps(loaded.json, indent=1))
    assert tauprof.load(written) == loaded


def test_an_operation_trace_has_its_own_sections(logs):
    loaded = tauprof.load(logs("operations"))
    assert loaded.whatif.t_ideal_ns > 0 and loaded.whatif.by_rank
    assert loaded.ledger is None and loaded.kernels == []


def test_what_cannot_be_analysed_is_said(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(tauprof.TauprofError, match=r"^tauprof: .*empty"):
        tauprof.load(tmp_path / "empty")
    other = tmp_path / "other.json"
    other.write_text("{}")
    with pytest.raises(tauprof.TauprofError, match="no traceEvents in 2 bytes"):
        tauprof.load(other)


def test_lists_become_tables(logs):
    pytest.importorskip("pandas")
    loaded = tauprof.load(logs("plain"))
    assert loaded.table("kernels")["total_ns"].sum() == sum(kernel.total_ns for kernel in loaded.kernels)
    assert loaded.table("per_rank")["ledger.compute"].tolist() == [rank.ledger["compute"] for rank in loaded.per_rank]
    assert len(loaded.table("steps.list")) == loaded.steps.count
    with pytest.raises(KeyError, match="'verdict' is no list of the report"):
        loaded.table("verdict")


def test_the_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "tauprof", "--version"], capture_output=True, text=True,
                          env={"PYTHONPATH": PACKAGE, "PATH": os.environ["PATH"]})
    assert done.returncode == 0 and done.stdout.startswith("tauprof ")
