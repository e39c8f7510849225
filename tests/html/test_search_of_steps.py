"""The search goes from hit to hit through all steps."""

import pytest

from kineto_trace import Trace, imported

OFTEN, TWICE = "aten::everywhere", "aten::in_two_steps"


@pytest.fixture(scope="module")
def page(tauprof, page_of, tmp_path_factory):
    """An operator in each of six steps, twice in each; another in steps 1 and 4 alone."""
    trace = Trace(rank=0, world=1)
    for step in range(6):
        start = 10_000 * step
        trace.step(step, start, start + 9_900)
        for at in (0, 1):
            trace.operator(OFTEN, start + 3_000 + 1_000 * at, start + 3_800 + 1_000 * at, [[8, 8]])
        if step in (1, 4):
            trace.operator(TWICE, start + 6_000, start + 6_500, [[8, 8]])
        trace.kernel(start + 500, start + 9_000)
    return page_of(imported(tauprof, tmp_path_factory.mktemp("search"), [trace]))


@pytest.fixture
def tab(browser, page):
    opened = browser.open(f"file://{page.path}")
    yield opened
    opened.close()


def count(tab):
    return tab.evaluate("document.querySelector('.name-search').parentElement.lastChild.textContent")


def search(tab, step, name):
    tab.evaluate(f"timeline.showStep(timeline.steps.indexOf({step}))")
    tab.click(".name-search")
    tab.type(name)
    tab.wait_for("timeline.matches !== null")


def test_enter_shows_the_next_step_that_has_the_name(tab):
    search(tab, 2, TWICE)
    assert count(tab) == "not in this step; Enter: the next step that has it"
    for step in (4, 1, 4):
        tab.press("Enter")
        tab.wait_for(f"timeline.step.step === {step} && timeline.chosen !== null")
        assert tab.evaluate("timeline.chosen.name") == TWICE and count(tab) == "1 of 1 found in this step"


def test_n_goes_on_after_the_last_hit_of_a_step_and_N_back(tab):
    search(tab, 2, OFTEN)
    tab.evaluate("timeline.canvas.focus()")
    places = []
    for key in "nnnnNNN":
        before = tab.evaluate("timeline.chosen && [timeline.step.step, timeline.chosen.start]")
        tab.press(key)
        tab.wait_for(f"timeline.chosen && (timeline.step.step !== {before[0] if before else -1} || timeline.chosen.start !== {before[1] if before else -1})")
        places.append((tab.evaluate("timeline.step.step"), tab.evaluate("timeline.hit")))
    assert places == [(2, 0), (2, 1), (3, 0), (3, 1), (3, 0), (2, 1), (2, 0)]


def test_n_goes_on_from_the_result_that_was_clicked(tab):
    search(tab, 2, OFTEN)
    tab.evaluate("timeline.goToHit(timeline.hits[1])")
    assert count(tab) == "2 of 2 found in this step"
    tab.evaluate("timeline.canvas.focus()")
    tab.press("n")
    tab.wait_for("timeline.step.step === 3 && timeline.hit === 0")


def test_enter_goes_to_the_place_of_a_finding_that_alone_has_the_text(opened):
    page, tab = opened("stall")
    finding = page.report["findings"][0]
    tab.evaluate("timeline.showStep(0)")
    words = finding["title"].lower()[:20]
    search(tab, 0, words)
    assert not any(words in name.lower() for name in page.timeline()["names"])
    assert "findings" in count(tab)
    tab.press("Enter")
    tab.wait_for("timeline.step.step === 7 && timeline.markedRank === 2")
    assert tab.evaluate("location.hash") == "#repair=0"


def test_a_text_that_nothing_has_is_said_to_be_nowhere(tab):
    search(tab, 2, "no such name at all")
    assert count(tab) == "nothing found"
