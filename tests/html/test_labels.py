"""Names on the timeline's spans: within their spans, and easy to read on every colour."""

import pytest

from contrast import READABLE, contrast
from kineto_trace import ALL_REDUCE, Trace, imported

WIDE = "WWWWWWWWMMMMMMMM_WWWWWWWWMMMMMMMM"

PAINTED = """(() => {
    const drawn = [], was = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (x > timeline.gutter && y > RULER) drawn.push({ text, x, y, wide: this.measureText(text).width, ink: this.fillStyle });
        return was.call(this, text, x, y); };
    timeline.painter.paint();
    CanvasRenderingContext2D.prototype.fillText = was;
    return drawn; })()"""


@pytest.fixture(scope="module")
def page(tauprof, page_of, tmp_path_factory):
    """Operators with wide letters, one after the other; a kernel that computes, one that communicates, a copy."""
    trace = Trace(rank=0, world=1)
    for step in range(3):
        start = 10_000 * step
        trace.step(step, start, start + 9_900)
        for at in range(8):
            trace.operator(WIDE, start + 100 + 1_000 * at, start + 1_090 + 1_000 * at, [[8, 8]])
        trace.kernel(start + 500, start + 3_000)
        trace.kernel(start + 3_500, start + 6_000, name=ALL_REDUCE)
        trace.copy(start + 6_500, start + 9_000)
    return page_of(imported(tauprof, tmp_path_factory.mktemp("labels"), [trace]))


def test_a_name_ends_before_the_next_begins(browser, page):
    tab = browser.open(f"file://{page.path}")
    drawn = [one for one in tab.evaluate(PAINTED) if one["text"].startswith("W")]
    assert len(drawn) >= 8 and any("…" in one["text"] for one in drawn)
    for one, following in zip(drawn, drawn[1:]):
        assert one["y"] == following["y"] and one["x"] + one["wide"] <= following["x"]
    tab.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_can_be_read_on_every_colour(browser, page, scheme):
    tab = browser.open(f"file://{page.path}", scheme=scheme)
    drawn = {one["text"][:4]: one["ink"] for one in tab.evaluate(PAINTED)}
    colors = dict(tab.evaluate("KINDS.slice(0, FIRST_BETWEEN).map(([color]) => [color, colorOf(color)])"))
    for start, color in (("WWWW", "operator"), ("ampe", "compute"), ("nccl", "comm"), ("Memc", "copy")):
        assert contrast(drawn[start], colors[color]) >= READABLE, color
    for color, fill in colors.items():
        assert contrast(tab.evaluate(f"inkOn('{fill}')"), fill) >= READABLE, color
    tab.close()


def test_a_name_on_a_wait_has_the_ink_of_each_part(opened):
    """Waiting is red in its span of another colour."""
    page, tab = opened("stall")
    tab.evaluate("timeline.showStep(timeline.steps.indexOf(7))")
    inks = {(one["x"], one["y"]): set() for one in tab.evaluate(PAINTED)}
    for one in tab.evaluate(PAINTED):
        inks[one["x"], one["y"]].add(one["ink"])
    assert tab.evaluate("[timeline.waitInk, timeline.inks[2]]") == ["#fff", "#000"]
    assert {"#ffffff", "#000000"} in inks.values()
