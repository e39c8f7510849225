"""Time by operator in recorded traces equals a second computation, and the profiler's own."""

import collections
import csv
import json
import subprocess

import pytest
from operators_of_trace import read, self_times_by_id, times_of, works_of
from tiers import two_tiers

SETS = two_tiers(("hta_nccl_data_1of2", "param_dlrm_8rank", "torchrec_sst2a", "torchrec_sst5qb"),
                 "hta_nccl_data_1of2".__ne__)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Analysed:
    """A set: its report, and the device work of the ledger's windows as its traces have it."""

    def __init__(self, tauprof, source, folder):
        self.report = json.loads(run(tauprof, "analyze", source, "--json", "-"))
        run(tauprof, "export", "-f", "csv", "-o", folder / "tables", source)
        windows = collections.defaultdict(list)
        for row in self.table(folder, "steps"):
            if row["analysed"] == "1" and row["device_start_ns"]:
                windows[row["rank"]].append((int(row["device_start_ns"]), int(row["device_end_ns"])))
        spans = collections.defaultdict(list)
        names = {row["name_id"]: row["name"] for row in self.table(folder, "names")}
        for row in self.table(folder, "spans"):
            if row["kind"] in ("kernel", "memcpy", "memset"):
                spans[row["rank"]].append((int(row["start_ns"]), int(row["duration_ns"]), names.get(row["name_id"])))
        self.works = []
        for rank, path in enumerate(sorted(source.iterdir())):
            rank = str(rank)
            works = works_of(read(path))
            found = sorted(spans[rank])
            assert [length for _, length, _ in found] == [work.length for work in works]
            self.works += [work for (start, _, _), work in zip(found, works)
                           if any(first <= start < last for first, last in windows[rank])]

    @staticmethod
    def table(folder, name):
        with open(folder / "tables" / f"{name}.csv", newline="") as file:
            yield from csv.DictReader(file)


@pytest.fixture(scope="module")
def analysed(tauprof, data_folder, tmp_path_factory):
    made = {}

    def of(name):
        if name not in made:
            made[name] = Analysed(tauprof, data_folder / name, tmp_path_factory.mktemp(name))
        return made[name]

    return of


def by_name(rows, key):
    """Work in no operator is one row, whether or not it is of a backward pass."""
    sums = collections.Counter()
    for row in rows:
        sums[None if row["kind"] == "backward" else row["name"]] += row[key]
    return +sums


@pytest.mark.parametrize("name", SETS)
def test_device_time_by_operator_equals_a_second_computation(analysed, name):
    found = analysed(name)
    expected = times_of(found.works)
    rows = found.report["operators"]
    assert len(expected) > 40
    assert by_name(rows, "self_device_ns") == {of: own for of, (own, _) in expected.items() if own}
    assert by_name(rows, "device_ns") == {of: total for of, (_, total) in expected.items() if total}


def test_self_device_time_is_that_of_the_profilers_key_averages(analysed):
    found = analysed("hta_nccl_data_1of2")
    assert by_name(found.report["operators"], "self_device_ns") == +self_times_by_id(found.works)


@pytest.mark.parametrize("name", SETS)
def test_all_self_times_sum_to_what_the_report_has(analysed, name):
    report = analysed(name).report
    device = sum(kernel["total_ns"] for kernel in report["kernels"])
    busy = sum(time for row, time in report["ledger"]["rows"].items() if not row.startswith("idle_"))
    idle = sum(time for row, time in report["ledger"]["rows"].items() if row.startswith("idle_"))
    for list_of in (report["operators"], report["call_tree"]):
        prefix = "self_" if list_of is report["operators"] else ""
        assert sum(row[f"{prefix}device_ns"] for row in list_of) == device
        assert sum(row[f"{prefix}exposed_ns"] for row in list_of) == busy
        assert sum(row[f"{prefix}idle_ns"] for row in list_of) == idle
        assert sum(row["launched"] for row in list_of) == sum(kernel["count"] for kernel in report["kernels"])


@pytest.mark.parametrize("name", SETS)
def test_a_part_is_no_more_than_the_whole(analysed, name):
    for row in analysed(name).report["operators"]:
        for time in ("device", "exposed", "idle", "host", "blocked"):
            assert 0 <= row[f"self_{time}_ns"] <= row[f"{time}_ns"]
        assert row["exposed_ns"] <= row["device_ns"] and row["blocked_ns"] <= row["host_ns"] or row["name"] is None


def test_without_functions_of_python_there_are_no_modules_and_lines(analysed):
    report = analysed("torchrec_sst2a").report
    assert report["modules"] == report["lines"] == []
