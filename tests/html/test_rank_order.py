"""Ranks of the page: sorted, filtered, folded by host; the same in the timeline and in the heat map."""

import pytest

from shown_place import painted, place


@pytest.fixture
def tab(opened):
    return opened("long")[1]


def ranks(tab):
    return tab.evaluate("[...new Set(timeline.rows.places.map((place) => place.rank))]")


def choose(tab, order):
    tab.evaluate(f"(() => {{ const choice = document.querySelector('.rank-order'); choice.value = '{order}'; choice.dispatchEvent(new Event('change')); }})()")


def test_ranks_are_sorted_by_the_waiting_that_they_caused(opened):
    page, tab = opened("long")
    blamed = {rank["rank"]: rank["blamed_ns"] for rank in page.report["stragglers"]["ranks"]}
    assert ranks(tab) == list(range(16))
    choose(tab, "blame")
    assert ranks(tab) == sorted(blamed, key=lambda rank: (-blamed[rank], rank)) and ranks(tab)[0] == 5


def test_a_filter_takes_numbers_ranges_and_hosts(tab):
    for text, wanted in (("2-4, 9", [2, 3, 4, 9]), ("node1", [4, 5, 6, 7]), ("", list(range(16)))):
        tab.evaluate("(() => { const filter = document.querySelector('.rank-filter'); filter.value = ''; filter.focus(); })()")
        tab.type(text or " ")
        assert ranks(tab) == wanted, text


def test_hosts_fold_to_the_rank_that_was_waited_for_most(opened):
    page, tab = opened("long")
    tab.open_all()
    blamed = {rank["rank"]: rank["blamed_ns"] for rank in page.report["stragglers"]["ranks"]}
    tab.click("#timeline .fold-hosts")
    wanted = [max(range(first, first + 4), key=lambda rank: blamed[rank]) for first in range(0, 16, 4)]
    assert ranks(tab) == wanted and wanted[1] == 5
    map_of = "document.querySelectorAll('.rank-order').length"
    assert tab.evaluate(map_of) == 2
    painted(tab)  # the timeline has become less high
    tab.click("#stragglers .fold-hosts")
    assert ranks(tab) == list(range(16))


def test_a_click_on_the_name_of_a_rank_folds_it(tab):
    rows = tab.evaluate("timeline.rows.places.filter((place) => place.rank === 0).length")
    assert rows > 3
    x, y = tab.evaluate("""(() => { timeline.canvas.scrollIntoView({ block: "center" }); const box = timeline.canvas.getBoundingClientRect();
        return [box.x + 30, box.y + timeline.yOf(timeline.rows.placeOfRank(0)) + 5]; })()""")
    tab.click_at(x, y)
    assert tab.evaluate("timeline.rows.places.filter((place) => place.rank === 0).length") == 1
    tab.click_at(x, y)
    assert tab.evaluate("timeline.rows.places.filter((place) => place.rank === 0).length") == rows


def test_going_to_a_hidden_rank_makes_it_visible(tab):
    tab.evaluate("rankOrder.filterBy('0-1'), rankOrder.foldAll(true)")
    tab.evaluate("goToPlace(5, 60)")
    assert place(tab)[0] == 60 and place(tab)[3] == 5
    assert tab.evaluate("timeline.isVisible(timeline.rows.placeOfRank(5))")


@pytest.mark.full
def test_64_ranks_are_lines_that_can_be_read(opened):
    _, tab = opened("large", width=1400)
    heights = tab.evaluate("timeline.rows.places.map((place) => place.height)")
    assert len(heights) == 64 and min(heights) >= 11 and sum(heights) < 800
