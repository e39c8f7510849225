"""The page's flame graph of lines, modules and operators, and the tables of their times."""

import pytest

from contrast import READABLE, contrast
from kineto_trace import Trace, imported
from shown_numbers import shown

FRAMES = """[...document.querySelectorAll('.flame button')].map((one) => ({ label: one.getAttribute('aria-label').split(', ')[0],
    wide: one.offsetWidth, left: one.offsetLeft, top: one.offsetTop, fill: one.style.background, ink: one.style.color }))"""


@pytest.fixture(scope="module")
def page(tauprof, page_of, tmp_path_factory):
    """A step of a line that runs a module of two layers, one with three times the device time of the other; and a copy of nobody."""
    trace = Trace(rank=0, world=1)
    for step in range(3):
        start = 10_000 * step
        trace.step(step, start, start + 9_900)
        trace.event("python_function", "train.py(3): main", start + 10, start + 9_800)
        trace.event("python_function", "nn.Module: Model_0", start + 100, start + 9_000)
        for at, (layer, kernel) in enumerate((("Linear_1", 600), ("Linear_2", 1_800))):
            begin = start + 200 + 3_000 * at
            trace.event("python_function", f"nn.Module: {layer}", begin, begin + 2_000)
            trace.operator("aten::linear", begin + 10, begin + 1_900, [[8, 8]])
            trace.kernel(begin + 100, begin + 100 + kernel)
    return page_of(imported(tauprof, tmp_path_factory.mktemp("modules"), [trace]))


@pytest.fixture
def tab(browser, page):
    opened = browser.open(f"file://{page.path}")
    opened.wait_for("document.documentElement.dataset.built")
    opened.evaluate("openSection('operators')")
    opened.wait_for("document.querySelectorAll('.flame button').length > 0")
    yield opened
    assert opened.problems() == []
    opened.close()


def frames(tab):
    return tab.evaluate(FRAMES)


def named(tab, name):
    return [frame for frame in frames(tab) if frame["label"] == name]


def click(tab, name):
    tab.click(f".flame button[aria-label^='{name}']")


def test_frames_are_as_wide_as_their_device_time(page, tab):
    totals = [node["device_ns"] for node in page.report["call_tree"]]
    for at in reversed(range(1, len(totals))):
        totals[page.report["call_tree"][at]["parent"]] += totals[at]
    of = {node["name"]: total for node, total in zip(page.report["call_tree"], totals) if node["kind"] == "module"}
    [whole], [first], [second] = named(tab, "all"), named(tab, "Linear_1"), named(tab, "Linear_2")
    assert of["Linear_2"] == 3 * of["Linear_1"] > 0
    for frame, name in ((first, "Linear_1"), (second, "Linear_2")):
        assert abs(frame["wide"] - whole["wide"] * of[name] / totals[0]) <= 2
    assert second["left"] < first["left"]  # the one with the most comes first
    assert first["top"] == second["top"] == named(tab, "Model_0")[0]["top"] + 18


def test_a_frame_tells_its_times_and_shares(page, tab):
    tab.evaluate("document.querySelector(\".flame button[aria-label^='Linear_2']\").focus()")
    told = tab.evaluate("tip.textContent")
    [row] = [row for row in page.report["modules"] if str(row["name"]).endswith("Linear_2")]
    assert told.startswith("Linear_2\nmodule\n") and "75.0 % of all" in told and not tab.evaluate("tip.hidden")
    assert shown(row, "device_ns", "ns") in told and told.endswith("itself 0 ns")  # an operator inside of it has it all
    share = row["device_ns"] / page.report["ledger"]["sum_ns"]
    assert f"{100 * share:.1f} % of the step" in told


def test_a_click_zooms_in_and_the_path_and_escape_zoom_out(tab):
    whole = named(tab, "all")[0]["wide"]
    click(tab, "Linear_1")
    assert named(tab, "Linear_2") == named(tab, "all") == [] and named(tab, "Linear_1")[0]["wide"] == whole
    assert tab.evaluate("document.querySelector('.flame-path').textContent").endswith("Model_0 › Linear_1")
    tab.press("Escape")
    assert named(tab, "Model_0")[0]["wide"] == whole and named(tab, "Linear_2")
    tab.click(".flame-path button")
    assert named(tab, "all")[0]["wide"] == whole


def test_keys_move_between_frames_and_zoom(tab):
    tab.evaluate("document.querySelector('.flame button').focus()")
    label = "document.activeElement.getAttribute('aria-label')?.split(',')[0]"
    for key, wanted in (("ArrowDown", "train.py:3 main"), ("ArrowDown", "Model_0"), ("ArrowDown", "Linear_2"), ("ArrowRight", "Linear_1"),
                        ("ArrowLeft", "Linear_2"), ("ArrowUp", "Model_0")):
        tab.press(key)
        assert tab.evaluate(label) == wanted, key
    assert tab.evaluate("document.querySelectorAll('.flame button[tabindex=\"0\"]').length") == 1


def test_the_width_may_be_host_time(page, tab):
    tab.evaluate("(() => { const choice = document.querySelector('#operators select'); choice.value = 'host_ns'; choice.dispatchEvent(new Event('change')); })()")
    [first], [second] = named(tab, "Linear_1"), named(tab, "Linear_2")
    assert abs(first["wide"] - second["wide"]) <= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_of_frames_can_be_read(browser, page, scheme):
    tab = browser.open(f"file://{page.path}", scheme=scheme)
    tab.wait_for("document.documentElement.dataset.built")
    tab.evaluate("openSection('operators')")
    tab.wait_for("document.querySelectorAll('.flame button').length > 0")
    seen = frames(tab)
    assert len({frame["fill"] for frame in seen}) >= 5  # all, line, module, operator, kernel
    assert min(contrast(frame["fill"], frame["ink"]) for frame in seen) >= READABLE
    tab.close()


def test_the_search_of_the_page_marks_frames(tab):
    tab.click(".name-search")
    tab.type("linear_1")
    tab.wait_for("document.querySelectorAll('.results button').length > 0")
    tab.evaluate("[...document.querySelectorAll('.results button')].find((one) => one.textContent.includes('flame graph')).click()")
    bright = tab.evaluate("[...document.querySelectorAll('.flame button:not(.faint)')].map((one) => one.getAttribute('aria-label').split(',')[0])")
    assert bright == ["Linear_1"]


def test_tables_of_all_three_sort_by_their_numbers(page, tab):
    assert tab.evaluate("document.querySelector('#operators summary h2').textContent") == "Operators, modules, lines"
    assert tab.evaluate("[...document.querySelectorAll('#operators h3')].map((one) => one.textContent)") == ["Operators", "Modules", "Lines"]
    rows = "[...document.querySelectorAll('#operators tbody')][1].querySelectorAll('tr')"
    wanted = sorted(page.report["modules"], key=lambda row: row["device_ns"])
    names = f"[...{rows}].map((one) => one.lastChild.textContent)"
    sort = "[...document.querySelectorAll('#operators table')][1].querySelector('th button').click()"
    tab.evaluate(sort), tab.evaluate(sort)  # by share, the smallest first
    assert [name for name in tab.evaluate(names) if name.startswith("Model_0")] == [row["name"] for row in wanted if row["name"]]


def test_a_gist_names_what_took_most_itself(tab):
    assert "100.0 % aten::linear" in tab.evaluate("document.querySelector('#operators .gist').textContent")


def test_a_run_without_paths_has_no_such_section(browser, page, tmp_path):
    changed = tmp_path / "none.html"
    changed.write_text(page.with_report(page.report | {"operators": [], "modules": [], "lines": [], "call_tree": []}), encoding="utf-8")
    tab = browser.open(f"file://{changed}")
    assert tab.evaluate("document.querySelector('#operators')") is None and tab.problems() == []
    tab.close()
