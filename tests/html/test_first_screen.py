"""The first screen of the page: what the terminal's first screen says, in its words; each thing once."""

import subprocess

import pytest


@pytest.fixture(scope="module")
def terminal(tauprof, logs_of):
    """The first screen, by its words in capitals; what goes on in further lines is in one."""
    text = subprocess.run([tauprof, "analyze", logs_of("stall")], check=True, capture_output=True, text=True, timeout=60).stdout
    said, word = {}, "RUN"
    for line in text.splitlines():
        if line[:1].isupper() and line.split()[0].isupper():
            word, _, line = line.partition(" ")
        said[word] = (said.get(word, "") + " " + line.strip()).strip()
    return said


def text_of(tab, selector):
    return " ".join(tab.evaluate(f"document.querySelector({selector!r}).innerText").split())


def test_the_answer_is_on_the_first_screen(opened):
    _, tab = opened("stall", width=1400, height=1000)
    for selector in (".verdict .title", "#says-step", "#repair-0 .command", "#says-checks", "#says-parallelism"):
        assert tab.evaluate(f"document.querySelector({selector!r}).getBoundingClientRect().bottom") < 1000, selector


def test_verdict_step_and_checks_are_those_of_the_terminal(opened, terminal):
    _, tab = opened("stall")
    assert text_of(tab, ".verdict .title") in terminal["VERDICT"]
    parts = tab.evaluate("[...document.querySelectorAll('#says-step .legend span')].map((one) => one.textContent)")
    assert parts == terminal["STEP"].removeprefix("of all ranks' time: ").replace(" host", " · host").replace(" · · ", " · ").split(" · ")
    for check in tab.evaluate("[...document.querySelectorAll('.check')].map((one) => one.querySelector('b').textContent + ' ' + one.childNodes[2 - 1].textContent.trim())"):
        assert check in terminal["CHECKS"]
    assert tab.evaluate("document.querySelectorAll('.check').length") == terminal["CHECKS"].count("ok ") + \
        terminal["CHECKS"].count("FAIL ") + terminal["CHECKS"].count("? ")


def test_repairs_have_their_step_and_their_command(opened, terminal):
    page, tab = opened("stall")
    edges = tab.evaluate("[...document.querySelectorAll('.repair .edge')].map((one) => one.textContent)")
    assert len(edges) == 2 and all(edge in terminal["REPAIR"] for edge in edges)
    command = text_of(tab, "#repair-0 code")
    assert command.startswith("tauprof whatif ") and command.endswith(page.report["findings"][0]["whatif"])
    assert "1.587 ms to 1.590 ms" in text_of(tab, "#repair-0")


def test_each_evidence_is_there_once(opened):
    page, tab = opened("stall")
    tab.open_all()
    text = tab.evaluate("document.body.textContent.split('</script>').at(-1), document.querySelector('main').textContent")
    for finding in page.report["findings"]:
        assert text.count(finding["evidence"]) == 1


def test_the_command_can_be_copied(opened):
    _, tab = opened("stall")
    tab.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    tab.click("#repair-0 .command button")
    tab.wait_for("window.copied")
    assert tab.evaluate("window.copied === document.querySelector('#repair-0 code').textContent")
    assert text_of(tab, "#repair-0 .command button") == "Copied"


def test_the_page_is_short_and_all_of_it_can_be_opened(opened):
    _, tab = opened("stall", width=1400)
    folded = tab.evaluate("document.body.scrollHeight")
    tab.open_all()
    assert folded < 3000 < tab.evaluate("document.body.scrollHeight")
    assert tab.evaluate("document.querySelectorAll('#sections > section > details:not([open])').length") == 0


def test_a_link_to_a_folded_section_opens_it(opened):
    _, tab = opened("stall", "#collectives")
    assert tab.evaluate("document.querySelector('#collectives details').open")
    tab.click("#contents a[href='#phases']")
    tab.wait_for("document.querySelector('#phases details').open")


def test_marks_of_an_axis_can_be_told_apart(opened):
    _, tab = opened("stall")
    assert tab.evaluate("[106.0e6, 106.05e6, 106.1e6].map((ns) => tickText(ns, 50e3, 106.1e6))") == ["106.00 ms", "106.05 ms", "106.10 ms"]
    assert tab.evaluate("[0, 2e8].map((ns) => tickText(ns, 2e8, 1e9))") == ["0", "0.2 s"]
    for _ in range(12):
        ticks = tab.evaluate("(timeline.painter.paint(), timeline.canvas.dataset.ticks)").split("|")
        assert len(set(ticks)) == len(ticks) > 2 and all(tick == "0" or tick.split(" ")[1] in ("ns", "µs", "ms", "s") for tick in ticks)
        tab.evaluate("timeline.showRange(timeline.from + 0.6 * timeline.span, timeline.span / 3)")
