"""Which of several runs in a directory is analysed."""

import json
import re

import pytest

from kineto_trace import BASE_NS, Trace, run

HOUR_NS = 3_600_000_000_000


def import_run(tauprof, folder, name, ranks, hour, world=4):
    """Traces of some ranks of a job that started `hour` hours after the first; returns the id of the run."""
    source = folder / name
    source.mkdir()
    for rank in ranks:
        trace = Trace(rank, world, base_ns=BASE_NS + hour * HOUR_NS)
        for step in range(2):
            trace.step(step, step * 1_000, step * 1_000 + 1_000)
            trace.kernel(step * 1_000 + 100, step * 1_000 + 900)
        trace.write(source / f"rank-{rank}.json")
    known = set((folder / "logs").glob("*")) if (folder / "logs").exists() else set()
    assert run(tauprof, "import", "kineto", source, "-o", folder / "logs").returncode == 0
    log = next(iter(set((folder / "logs").glob("*")) - known))
    return re.search(r'run "([^"]*)"', run(tauprof, "dump", log).stdout)[1]


def analysed(tauprof, folder, *options):
    result = run(tauprof, "analyze", folder / "logs", "--json", "-", *options)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["run"], result.stderr


def test_after_a_restart_the_newest_complete_run_is_taken(tauprof, tmp_path):
    complete = import_run(tauprof, tmp_path, "first", range(4), 0)
    restarted = import_run(tauprof, tmp_path, "restarted", [2], 1)
    taken, said = analysed(tauprof, tmp_path)
    assert (taken["id"], taken["ranks"], taken["missing_ranks"]) == (complete, 4, [])
    line = next(line for line in said.splitlines() if "2 runs" in line)
    assert f"analysing the newest with logs of all its ranks ({restarted} has 1 of 4 ranks), {complete}" in line
    assert f"--run ID picks another of: {complete}, {restarted}" in line
    assert analysed(tauprof, tmp_path, "--run", restarted)[0]["missing_ranks"] == [0, 1, 3]


def test_of_complete_runs_the_newest_is_taken(tauprof, tmp_path):
    import_run(tauprof, tmp_path, "first", range(4), 0)
    second = import_run(tauprof, tmp_path, "second", range(4), 1)
    import_run(tauprof, tmp_path, "third", [0, 1], 2)
    assert analysed(tauprof, tmp_path)[0]["id"] == second


@pytest.mark.parametrize("worlds", [(4, 4), (4, 2)])
def test_where_none_is_complete_the_newest_is_taken(tauprof, tmp_path, worlds):
    import_run(tauprof, tmp_path, "first", [0, 1, 2], 0, worlds[0])
    second = import_run(tauprof, tmp_path, "second", [1], 1, worlds[1])
    taken, said = analysed(tauprof, tmp_path)
    assert taken["id"] == second and f"2 runs; analysing the newest, {second}" in said


def test_a_run_of_unknown_size_is_complete(tauprof, tmp_path):
    import_run(tauprof, tmp_path, "first", range(4), 0)
    second = import_run(tauprof, tmp_path, "second", [0], 1, world=0)
    assert analysed(tauprof, tmp_path)[0]["id"] == second
