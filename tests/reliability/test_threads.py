"""Each call of each thread is in the log or in the count of dropped ones, once, and few threads lose any."""

from collections import Counter

import pytest

from faults import dropped_calls, fault, hostile, lines_of_recorder, run_both

QUERY = "cudaEventQuery"


def many_threads(recorder, tmp_path, way, threads, calls, program="many_threads", **how):
    file = tmp_path / "threads"
    _, run = run_both(recorder, hostile(program, file, way, threads, calls), **how)
    assert run.output == f"{threads * calls} calls\n"
    assert lines_of_recorder(run) == []
    made = Counter()
    for line in file.read_text().splitlines():
        os_id, count = line.split()
        made[int(os_id)] += int(count)
    return run.only_log(), made


def books(log, kind="call"):
    """The calls of each thread, by the kernel's id: recorded and dropped ones."""
    os_ids = {0: 0} | {row["thread"]: row["os_id"] for row in log.rows["thread"]}
    recorded, dropped = Counter(), Counter()
    for row in log.rows[kind]:
        recorded[os_ids[row["thread"]]] += 1
    for row in log.rows["drop"]:
        if row["kind"] == kind:
            dropped[os_ids[row["thread"]]] += row["count"]
    return recorded, dropped


@fault("2,000 threads live and make calls at once", loses="nothing")
def test_two_thousand_threads_at_once_lose_nothing(recorder, tmp_path):
    log, made = many_threads(recorder, tmp_path, "together", 2000, 100)
    recorded, _ = books(log)
    assert dropped_calls(log) == 0
    assert made.items() <= recorded.items()


@fault("10,000 threads make a few calls each and end", loses="nothing")
def test_ten_thousand_short_threads_lose_nothing(recorder, tmp_path):
    log, made = many_threads(recorder, tmp_path, "in_turn", 10_000, 3)
    assert dropped_calls(log) == 0
    assert sum(row["function"] == QUERY for row in log.rows["call"]) == sum(made.values())
    assert all(row["name"] for row in log.rows["thread"])


@fault("Threads make more calls than the recorder has memory for", loses="calls, counted for each thread")
@pytest.mark.parametrize("megabytes", [1, 4])
def test_each_call_is_recorded_or_counted_once(recorder, tmp_path, megabytes):
    variables = {"TAUPROF_BUFFER_MB": str(megabytes)}
    log, made = many_threads(recorder, tmp_path, "busy", 6, 60_000, variables=variables)
    recorded, dropped = books(log)
    assert sum(dropped.values()) > 0, "nothing was dropped, so nothing was tested"
    assert all(recorded[thread] <= made[thread] for thread in made), "calls came back from CUPTI"
    assert {thread: recorded[thread] + dropped[thread] for thread in made} == dict(made)


@fault("Threads make more matrix multiplications or collectives than the recorder has memory for",
       loses="these calls, counted for each thread")
@pytest.mark.parametrize("kind", ["gemm", "collective"])
def test_each_call_of_a_library_is_recorded_or_counted_once(recorder, tmp_path, kind):
    log, made = many_threads(recorder, tmp_path, kind, 4, 12_000, program="many_records",
                             variables={"TAUPROF_BUFFER_MB": "1"})
    recorded, dropped = books(log, kind)
    assert sum(dropped.values()) > 0, "nothing was dropped, so nothing was tested"
    assert {thread: recorded[thread] + dropped[thread] for thread in made} == dict(made)


@fault("The first call is made on the smallest stack that a thread may have", loses="nothing")
def test_the_first_call_fits_on_the_smallest_stack(recorder, tmp_path):
    log, made = many_threads(recorder, tmp_path, "small", 3, 5)
    recorded, _ = books(log)
    assert dropped_calls(log) == 0
    assert recorded == made
