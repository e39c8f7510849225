"""Flame graphs for speedscope: valid by its schema, the same each time, and the report's own numbers."""

import collections
import json
import subprocess

import pytest

SETS = ("torchrec_sst5qb", "hta_nccl_data_1of2")

# Of https://www.speedscope.app/file-format-schema.json, what a file of sampled profiles may have.
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["$schema", "profiles", "shared"],
    "properties": {
        "$schema": {"const": "https://www.speedscope.app/file-format-schema.json"},
        "name": {"type": "string"},
        "exporter": {"type": "string"},
        "activeProfileIndex": {"type": "integer"},
        "shared": {
            "type": "object",
            "additionalProperties": False,
            "required": ["frames"],
            "properties": {"frames": {"type": "array", "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name"],
                "properties": {"name": {"type": "string"}, "file": {"type": "string"}, "line": {"type": "number"},
                               "col": {"type": "number"}},
            }}},
        },
        "profiles": {"type": "array", "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["type", "name", "unit", "startValue", "endValue", "samples", "weights"],
            "properties": {
                "type": {"const": "sampled"},
                "name": {"type": "string"},
                "unit": {"enum": ["bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds"]},
                "startValue": {"type": "number"},
                "endValue": {"type": "number"},
                "samples": {"type": "array", "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}},
                "weights": {"type": "array", "items": {"type": "number", "minimum": 0}},
            },
        }},
    },
}


@pytest.fixture(scope="session")
def exported(tauprof, tmp_path_factory):
    def write(source, *options):
        path = tmp_path_factory.mktemp("speedscope") / "profile.json"
        done = subprocess.run([tauprof, "export", source, "-f", "speedscope", "-o", path, *options],
                              capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return path

    return write


@pytest.mark.parametrize("name", SETS)
def test_it_is_valid_by_the_schema(exported, data_folder, name):
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(exported(data_folder / name).read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    frames = len(document["shared"]["frames"])
    for profile in document["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"]) > 0
        assert all(stack and max(stack) < frames for stack in profile["samples"])
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]


def test_names_of_any_bytes_are_written(exported, hostile_job):
    document = json.loads(exported(hostile_job.logs).read_text(encoding="utf-8"))
    names = {frame["name"] for frame in document["shared"]["frames"]}
    assert "<script>alert(1)</script>" in names and "snow ☃ and 🙂" in names


@pytest.mark.parametrize("name", SETS)
def test_it_has_the_device_time_of_the_report(exported, data_folder, tauprof, name):
    report = json.loads(subprocess.run([tauprof, "analyze", data_folder / name, "--json", "-"], capture_output=True,
                                       check=True).stdout)
    document = json.loads(exported(data_folder / name).read_text(encoding="utf-8"))
    frames = [frame["name"] for frame in document["shared"]["frames"]]
    kernels, totals = collections.Counter(), collections.Counter()
    for profile in document["profiles"]:
        if profile["name"].endswith(", device"):
            for stack, weight in zip(profile["samples"], profile["weights"]):
                kernels[frames[stack[-1]]] += weight
                totals.update({frames[frame]: weight for frame in set(stack)})
    expected = collections.Counter()
    for kernel in report["kernels"]:
        expected[kernel["name"]] += kernel["total_ns"]
    assert kernels == +expected
    for row in report["operators"]:
        if row["kind"] == "operator" and row["device_ns"]:
            assert totals[row["name"]] == row["device_ns"], row["name"]
    ranks = [rank["rank"] for rank in report["per_rank"]]
    assert [profile["name"] for profile in document["profiles"]] == [
        f"rank {rank}, {weight}" for rank in ranks for weight in ("device", "host")]


def test_it_is_the_same_each_time(exported, data_folder):
    first, second = (exported(data_folder / "torchrec_sst5qb").read_bytes() for _ in range(2))
    assert first == second


def test_ranks_and_steps_can_be_chosen(exported, data_folder):
    document = json.loads(exported(data_folder / "torchrec_sst5qb", "--ranks", "1", "--steps", "5").read_text())
    assert [profile["name"] for profile in document["profiles"]] == ["rank 1, device", "rank 1, host"]
    whole = json.loads(exported(data_folder / "torchrec_sst5qb", "--ranks", "1").read_text())
    assert 0 < document["profiles"][0]["endValue"] < whole["profiles"][0]["endValue"]
