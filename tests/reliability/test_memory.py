"""TAUPROF_BUFFER_MB bounds what the recorder takes, whatever the program does."""

import pytest

from faults import fault, hostile, lines_of_recorder, run_both
from tiers import two_tiers

MEGABYTE = 1 << 20


def own_bytes(recorder, file, way, **variables):
    """Of the recorded program: its memory and the recorder's."""
    _, run = run_both(recorder, hostile("hungry", file, way), variables=variables)
    assert lines_of_recorder(run) == []
    return int(file.read_text()), run.only_log()


def dropped(log, kind):
    return sum(row["count"] for row in log.rows["drop"] if row["kind"] == kind)


@fault("A program gives the recorder more names, threads or stacks than it has memory for",
       loses="names and stacks beyond the bound; ranges and calls of threads that find no buffer, counted")
@pytest.mark.parametrize("way, megabytes", two_tiers(
    [(way, megabytes) for way in ("names", "threads", "stacks") for megabytes in (1, 8, 64)],
    lambda case: case[1] < 64))
def test_memory_stays_below_its_bound(recorder, tmp_path, way, megabytes):
    """Above a program that wants nothing: the library itself is there in any case."""
    bound = {"TAUPROF_BUFFER_MB": str(megabytes), "TAUPROF_STACKS": "all" if way == "stacks" else "off"}
    at_rest, _ = own_bytes(recorder, tmp_path / "at-rest", "nothing", **bound)
    hungry, log = own_bytes(recorder, tmp_path / "hungry", way, **bound)
    bare = recorder.run(hostile("hungry", tmp_path / "bare", way), preload=False)
    assert bare.status == 0
    of_program = int((tmp_path / "bare").read_text())
    bare = recorder.run(hostile("hungry", tmp_path / "bare", "nothing"), preload=False)
    of_program -= int((tmp_path / "bare").read_text())
    assert hungry - at_rest - of_program <= megabytes * MEGABYTE
    if megabytes == 1:
        lost = {"names": any(row["name"] == "(too many names)" for row in log.rows["range"]),
                "threads": dropped(log, "range") and dropped(log, "call"), "stacks": dropped(log, "stack")}
        assert lost[way], "everything found room, so nothing was tested"
