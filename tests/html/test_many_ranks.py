"""More ranks than the page shows: those of the heat map are those of the timeline, and any other can be had."""

import pytest

from shown_place import place


@pytest.fixture
def shown(opened):
    return opened("many")


def test_each_line_of_the_heat_map_is_in_the_timeline(shown):
    page, tab = shown
    timeline = page.timeline()
    assert len(timeline["ranks"]) == 128 and timeline["ranks_left_out"] == 12
    assert timeline["caused"]["ranks"] == timeline["ranks"] and 135 in timeline["ranks"]
    blamed = {rank["rank"]: rank["blamed_ns"] for rank in page.report["stragglers"]["ranks"]}
    left_out = set(blamed) - set(timeline["ranks"])
    assert max(blamed[rank] for rank in left_out) <= min(blamed[rank] for rank in timeline["ranks"])


def test_a_rank_that_is_left_out_comes_with_its_command(shown, logs_of):
    page, tab = shown
    missing = next(rank for rank in range(140) if rank not in page.timeline()["ranks"])
    tab.evaluate(f"goToPlace({missing}, 2)")
    note = tab.evaluate("document.querySelector('.step-note').innerText")
    assert f"rank {missing} is not in this timeline: it has 128 of 140 ranks" in note
    assert f"tauprof analyze {logs_of('many')} --ranks {missing} --html rank-{missing}.html" in note
    tab.evaluate("goToPlace(135, 2)")
    assert place(tab)[3] == 135 and tab.evaluate("document.querySelector('.step-note').innerText") == ""
