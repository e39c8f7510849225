"""The page's timeline: every step, what the host did, search, measuring, pins, keys, arrows."""

import shutil
import subprocess

import pytest

from kineto_trace import Trace, imported
from shown_place import painted, place, point

OPERATOR, ANNOTATION, PYTHON = "aten::linear", "my own range", "train.py(12): load_batch"


@pytest.fixture(scope="module")
def ranges_page(tauprof, page_of, tmp_path_factory):
    """A step with an annotation, an operator inside of it, a Python function, and a host that is stalled for 5 ms."""
    trace = Trace(rank=0, world=1)
    for step in range(3):
        start = 10_000 * step
        trace.step(step, start, start + 9_900)
        trace.annotation(ANNOTATION, start + 100, start + 3_000)
        trace.operator(OPERATOR, start + 200, start + 900, [[8, 8]])
        trace.event("python_function", PYTHON, start + 300, start + 800)
        trace.kernel(start + 500, start + 2_000)
        trace.kernel(start + 8_000, start + 9_500)
    return page_of(imported(tauprof, tmp_path_factory.mktemp("ranges"), [trace]))


@pytest.fixture
def ranges(browser, ranges_page):
    tab = browser.open(f"file://{ranges_page.path}")
    yield tab
    tab.close()


def rows_of(page, group):
    return [index for index, row in enumerate(page.timeline()["rows"]) if row["group"] == group]


def test_annotations_operators_and_python_functions_are_rows(ranges_page):
    step = ranges_page.timeline()["steps"][0]
    names = {group: {name for row in rows_of(ranges_page, group) for name, *_ in ranges_page.spans(step, row)} for group in ("ranges", "operators", "python")}
    assert ANNOTATION in names["ranges"] and OPERATOR in names["operators"] and any("load_batch" in name for name in names["python"])


def test_time_in_no_call_is_what_the_ledger_calls_it(ranges_page, page_of, logs_of):
    [row] = rows_of(ranges_page, "host")
    spans = ranges_page.spans(ranges_page.timeline()["steps"][0], row)
    between = [(name, length) for name, kind, _, length in spans if kind >= 10]
    assert max(length for _, length in between) > 4_000_000
    page = page_of(logs_of("stall"))
    [step] = [one for one in page.timeline()["steps"] if one["step"] == 7]
    host = [index for index in rows_of(page, "host") if page.timeline()["rows"][index]["rank"] == 2][0]
    name, _, _, length = max((span for span in page.spans(step, host) if span[1] >= 10), key=lambda span: span[3])
    assert name == "host stalled" and 19_000_000 < length < 21_000_000


def test_groups_of_rows_can_be_left_out(ranges):
    before = ranges.evaluate("timeline.rows.places.length")
    ranges.click("#timeline .toggle:nth-child(2)")
    assert ranges.evaluate("timeline.rows.places.length") == before - 1
    ranges.click("#timeline .toggle:nth-child(2)")
    assert ranges.evaluate("timeline.rows.places.length") == before


@pytest.mark.parametrize("name", [OPERATOR, ANNOTATION, "load_batch", "cudaLaunchKernel", "ampere"])
def test_the_search_finds_every_name_and_a_result_jumps_there(ranges, name):
    ranges.evaluate("timeline.rows.setGroup('operators', false)")
    ranges.click(".name-search")
    ranges.type(name)
    ranges.wait_for("document.querySelectorAll('.results button').length > 0")
    ranges.click(".results li:last-child button")
    ranges.wait_for("timeline.chosen !== null")
    assert name in ranges.evaluate("timeline.chosen.name")
    assert ranges.evaluate("timeline.isVisible(timeline.rows.placeOfRow.get(timeline.chosen.row))")


def test_the_search_finds_where_a_finding_is(opened):
    page, tab = opened("stall")
    assert page.report["findings"][0]["where"] == "forward"
    tab.click(".name-search")
    tab.type("forward")
    tab.wait_for("document.querySelector('.results small')?.textContent.startsWith('where a finding says') === true")
    tab.click(".results button")
    tab.wait_for("timeline.markedRank === 2")
    assert place(tab)[0] == 7


def test_a_step_that_the_page_lacks_is_said_to_be_missing(opened, logs_of):
    _, tab = opened("stall")
    before = place(tab)[0]
    tab.evaluate("goToPlace(null, 4711)")
    note = tab.evaluate("document.querySelector('.step-note').innerText")
    assert "step 4711 is not in this page" in note and f"still shows step {before}" in note and "from 0 to 11" in note
    assert f"tauprof analyze {logs_of('stall')} --steps 4711" in note
    tab.click(".step-note button")
    tab.wait_for("timeline.step.step === 11")
    assert tab.evaluate("document.querySelector('.step-note').innerText") == ""


def test_a_rank_that_the_timeline_lacks_is_said_to_be_missing(opened):
    _, tab = opened("stall")
    tab.evaluate("goToPlace(1000, 7)")
    assert place(tab)[0] == 7
    assert "rank 1000 is not in this timeline: it has 4 of 4 ranks" in tab.evaluate("document.querySelector('.step-note').innerText")
    tab.evaluate("goToPlace(1, 7)")
    assert tab.evaluate("document.querySelector('.step-note').innerText") == ""


def test_a_click_on_a_bar_shows_that_step(opened):
    page, tab = opened("stall")
    tab.open_all()
    x, y = tab.evaluate("""(() => { const canvas = document.querySelector("#steps canvas"); canvas.scrollIntoView({ block: "center" });
        const bar = Chart.getChart(canvas).getDatasetMeta(1).data[4], box = canvas.getBoundingClientRect();
        return [box.x + bar.x, box.y + bar.y + 20]; })()""")
    tab.click_at(x, y)
    wanted = page.report["steps"]["list"][4]["step"]
    tab.wait_for(f"timeline.step.step === {wanted}")
    assert place(tab)[0] == wanted


def test_every_step_is_in_the_page_or_beside_it(browser, page_of, logs_of, tmp_path):
    page = page_of(logs_of("long"))
    timeline = page.timeline()
    assert [step["step"] for step in timeline["steps"]] == [step["step"] for step in page.report["steps"]["list"]]
    short = [step["step"] for step in timeline["steps"] if step["is_short"]]
    assert 100 < len(short) < 130 and 60 not in short
    beside = page.path.parent / timeline["beside"]["file"]
    assert beside.name == "report-steps.js"
    alone = tmp_path / "alone.html"
    shutil.copy(page.path, alone)
    spans = {}
    for path in (alone, page.path):
        tab = browser.open(f"file://{path}")
        assert tab.requests() == [f"file://{path}"]
        tab.evaluate(f"goToPlace(3, {short[40]})")
        tab.evaluate("timeline.whole")
        spans[path] = tab.evaluate("timeline.step.rows.reduce((sum, row) => sum + row.start.length, 0)"), tab.evaluate("timeline.step.unit")
        note = tab.evaluate("document.querySelector('.step-note').innerText")
        assert (f"step {short[40]} is shown in short" in note and "report-steps.js, which is not beside this page" in note) == (path == alone)
        assert place(tab)[0] == short[40] and place(tab)[3] == 3
        tab.close()
    assert spans[page.path][1] == 1 < spans[alone][1] and spans[page.path][0] >= spans[alone][0]


def test_the_file_of_another_page_is_not_taken(browser, page_of, logs_of, tmp_path):
    page = page_of(logs_of("long"))
    shutil.copy(page.path, tmp_path / "report.html")
    text = (page.path.parent / "report-steps.js").read_text()
    (tmp_path / "report-steps.js").write_text(text.replace(page.timeline()["beside"]["identity"], "0" * 16, 1))
    tab = browser.open(f"file://{tmp_path / 'report.html'}")
    tab.evaluate("goToPlace(null, 30)")
    tab.evaluate("timeline.whole")
    assert "of another report" in tab.evaluate("document.querySelector('.step-note').innerText")
    tab.close()


def test_standard_output_has_nothing_beside_it_and_says_so(tauprof, browser, logs_of, tmp_path):
    result = subprocess.run([tauprof, "analyze", logs_of("long"), "--html", "-"], check=True, capture_output=True, cwd=tmp_path, timeout=120)
    assert list(tmp_path.iterdir()) == []
    page = tmp_path / "page.html"
    page.write_bytes(result.stdout)
    assert b"nonce-" not in result.stdout
    tab = browser.open(f"file://{page}")
    tab.evaluate("goToPlace(null, 30)")
    assert "was not written" in tab.evaluate("document.querySelector('.step-note').innerText") and tab.problems() == []
    tab.close()


def test_a_drag_with_shift_measures(opened):
    _, tab = opened("stall")
    x, y = point(tab, 1, "timeline.from + 0.2 * timeline.span")
    shown = place(tab)
    tab.drag((x, y), (x + 200, y), shift=True)
    length = tab.evaluate("timeline.measured.to - timeline.measured.from")
    assert abs(length - 200 * tab.evaluate("timeline.span / timeline.plotWidth()")) < 1000 and place(tab) == shown
    tab.evaluate("timeline.canvas.focus()")
    tab.press("z")
    assert abs(place(tab)[2] - length) < 2
    tab.press("Escape")
    assert tab.evaluate("timeline.measured") is None


def test_a_drag_without_shift_moves(opened):
    _, tab = opened("stall")
    tab.evaluate("timeline.zoom(0.3)")
    x, y = point(tab, 1, "timeline.from + 0.5 * timeline.span")
    before = place(tab)
    tab.drag((x, y), (x - 150, y))
    assert place(tab)[1] > before[1] and place(tab)[2] == before[2] and tab.evaluate("timeline.measured") is None


def test_arrows_are_those_of_the_chosen_span_alone(opened):
    page, tab = opened("stall")
    tab.evaluate("timeline.showStep(timeline.steps.indexOf(7))")
    painted(tab)
    assert tab.evaluate("timeline.canvas.dataset.arrows") == "0"
    [step] = [one for one in page.timeline()["steps"] if one["step"] == 7]
    row, start, length, for_row, arrival, _ = step["waits"][0]
    tab.click_at(*point(tab, row, start + length / 2))
    painted(tab)
    assert tab.evaluate("timeline.canvas.dataset.arrows") == "1"
    assert "waiting for rank 2" in tab.evaluate("document.querySelector('.chosen-span').innerText")
    tab.click_at(*point(tab, for_row, arrival + 100_000))
    painted(tab)
    assert tab.evaluate("timeline.canvas.dataset.arrows") == "3"
    assert "3 ranks waited for it" in tab.evaluate("document.querySelector('.chosen-span').innerText")


def test_a_pinned_rank_stays_at_the_top(opened):
    _, tab = opened("long")
    tab.evaluate("timeline.scrollToRank(9)")
    tab.evaluate("timeline.canvas.focus()")
    tab.press("p")
    assert tab.evaluate("timeline.rows.pinned.has(9)")
    tab.evaluate("timeline.scrollToRank(15)")
    top = tab.evaluate("timeline.yOf(timeline.rows.placeOfRank(9))")
    assert top < 40 and tab.evaluate("timeline.isVisible(timeline.rows.placeOfRank(9))")
    tab.evaluate("timeline.scrollToRank(9)")
    tab.press("p")
    assert not tab.evaluate("timeline.rows.pinned.has(9)")


def test_a_click_with_shift_on_a_ranks_name_pins_it_and_releases_it(opened):
    _, tab = opened("long")
    for is_pinned in (True, False):
        tab.evaluate(f"timeline.scrollToRank({9 if is_pinned else 15})")
        painted(tab)
        name = tab.evaluate("""(() => {
            timeline.canvas.scrollIntoView();
            const box = timeline.canvas.getBoundingClientRect(), nine = timeline.rows.placeOfRank(9);
            return [box.left + 20, box.top + timeline.yOf(nine) + 4]; })()""")
        tab.drag(name, name, shift=True)
        assert tab.evaluate("timeline.rows.pinned.has(9)") == is_pinned


def test_a_question_mark_shows_all_keys(opened):
    _, tab = opened("stall")
    tab.press("?")
    shown = tab.evaluate("document.querySelector('#keys').innerText")
    assert tab.evaluate("document.querySelector('#keys').open")
    assert all(word in shown for word in ("measure", "pin", "search", "fold"))
    tab.click("#keys button")
    assert not tab.evaluate("document.querySelector('#keys').open")
