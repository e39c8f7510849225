"""A report in Python: it shows itself, asks the program about its run, and says which names there are."""

import copy
import html.parser
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import PACKAGE, TRACES
from test_report import assert_same

import tauprof
from tauprof import documents, schema, sections, shown


@pytest.fixture(scope="module")
def late(logs):
    return tauprof.load(logs("straggler"))


def program(*words, status=0):
    done = subprocess.run(["tauprof", *map(str, words), "--json", "-"], capture_output=True)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def test_it_shows_itself_in_a_line(late, logs):
    text = repr(late)
    assert len(text) < 250 and "\n" not in text
    assert "4 ranks, 8 steps of " in text and late.verdict.title[:60] in text and late.run.id in text
    assert repr(tauprof.load(logs("operations"))).startswith("<tauprof.Report of ")


class Page(html.parser.HTMLParser):
    """Texts by tag, and whatever an attribute names."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.attributes = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def test_it_shows_itself_as_a_short_table(late):
    page = Page(late._repr_html_())
    assert len(late._repr_html_()) < 10_000
    assert set(page.tags) <= {"div", "p", "b", "table", "tr", "th", "td"}
    assert set(page.attributes) <= {"class", "style", "colspan"}  # nothing is loaded from elsewhere
    assert late.verdict.title in "".join(page.texts)
    biggest = max(late.ledger.rows, key=late.ledger.rows.get)
    share = late.ledger.rows[biggest] / late.ledger.step_ns
    assert page.texts[page.texts.index(biggest) + 2] == f"{share:.1%}"
    assert {finding.title for finding in late.findings[:8]} <= set(page.texts)


def test_answers_show_themselves_as_short_tables(late, logs):
    replayed = late.whatif("--without", "stalls", "--or", "--fix", "rank:2")
    checks, change = late.health(), late.diff(logs("plain"))
    for answer in (replayed, checks, change):
        page = Page(answer._repr_html_())
        assert set(page.tags) <= {"div", "p", "b", "table", "tr", "th", "td"} and page.tags.count("table") == 1
        assert set(page.attributes) <= {"class", "style", "colspan"}
    texts = Page(replayed._repr_html_()).texts
    assert texts[texts.index("fix rank:2") + 1] == shown.duration(replayed.scenarios[1].step_ns)
    texts = Page(checks._repr_html_()).texts
    assert {check.id for check in checks.checks} | {check.found for check in checks.checks} <= set(texts)
    texts = Page(change._repr_html_()).texts
    name, time = max(change.ledger.rows.items(), key=lambda row: abs(row[1].difference_ns))
    assert ": " + change.verdict.text in texts and texts[texts.index(name) + 1] == shown.duration(time.b_ns)


def test_answers_are_no_markup(late, logs):
    answer = late.whatif("--without", "stalls")
    answer.json["scenarios"][0]["changes"] = answer.json["run_id"] = ["<script>"]
    assert "<script>" not in answer._repr_html_()


def test_names_are_no_markup(late):
    document = copy.deepcopy(late.json)
    document["verdict"]["title"] = document["run"]["id"] = document["findings"][0]["title"] = "<script>alert(1)</script>"
    shown = tauprof.of_json(document)._repr_html_()
    assert "<script>" not in shown and shown.count("&lt;script&gt;") == 3


def test_it_asks_what_if(late, logs):
    asked = late.whatif("--fix", "rank:2", "--or", "--without", "stalls")
    assert asked.json == program("whatif", logs("straggler"), "--fix", "rank:2", "--or", "--without", "stalls")
    assert asked == tauprof.whatif(logs("straggler"), "--fix", "rank:2", "--or", "--without", "stalls")
    assert "fix rank:2: " in repr(asked) and len(repr(asked)) < 250
    assert late.whatif.replay_error == late.json["whatif"]["replay_error"]  # the section of that name
    with pytest.raises(tauprof.TauprofError, match="no rank 77"):
        late.whatif("--fix", "rank:77")


def test_what_chose_the_run_is_kept(logs):
    some = tauprof.load(logs("straggler"), "--steps", "4:6", "--batch", "8", "--ranks=0-1")
    steps = ["--steps", "4:6", "--ranks", "0-1"]
    assert some.whatif("--without", "stalls").json == program("whatif", logs("straggler"), "--without", "stalls", *steps)
    checks = json.loads(subprocess.run(["tauprof", "health", logs("straggler"), *steps, "--batch", "8", "--json", "-"],
                                       capture_output=True).stdout)
    assert some.health().json == checks


def test_it_checks_health(late, logs):
    checks = late.health()
    assert checks.json == program("health", logs("straggler"), status=5) and checks == tauprof.health(logs("straggler"))
    failed = [check.id for check in checks.checks if check.outcome == "fail"]
    assert "stragglers" in failed and f"{len(failed)} fail ({', '.join(failed)})" in repr(checks)


def test_it_compares(late, logs):
    compared = late.diff(logs("plain"))
    assert compared.a.step_ns == compared["a"]["step_ns"] == pytest.approx(late.steps.duration_ns.mean, abs=1)
    assert compared.b.step_ns == pytest.approx(tauprof.load(logs("plain")).steps.duration_ns.mean, abs=1)
    assert late.diff(tauprof.load(logs("plain"))).verdict == compared.verdict
    assert compared.verdict.text in repr(compared)
    two = tauprof.diff([logs("straggler"), logs("straggler")], logs("plain"))
    assert len(two.a.runs) == 2


@pytest.mark.parametrize("document", ["brief", "diff", "health", "whatif"])
@pytest.mark.parametrize("name", ["straggler", "plain", *TRACES])
def test_every_value_of_an_answer_has_a_type_and_a_schema(logs, document, name):
    words = {"brief": ["analyze", logs(name), "--brief"],
             "diff": ["diff", logs(name), "--against", logs("plain"), "--json", "-"],
             "health": ["health", logs(name), "--json", "-"],
             "whatif": ["whatif", logs(name), "--without", "stalls", "--or", "--fix", "rank:0", "--json", "-"]}[document]
    answer = json.loads(subprocess.run(["tauprof", *map(str, words)], capture_output=True).stdout)
    kind = {"brief": "Digest", "diff": "Diff", "health": "Checklist", "whatif": "Answers"}[document]

    class Typed(documents.Document, getattr(sections, kind)):
        pass

    assert_same(documents.read(Typed, answer), answer, document)
    validation = pytest.importorskip("jsonschema")
    if hasattr(validation, "Draft202012Validator"):
        assert list(validation.Draft202012Validator(schema.schema(document)).iter_errors(answer)) == []


def test_a_document_has_no_logs_to_ask(late):
    read = tauprof.of_json(late.json)
    assert read == late and read.diff(late).step.difference_ns == 0
    with pytest.raises(tauprof.TauprofError, match=r"whatif needs the logs, .* tauprof\.whatif\(path\)"):
        read.whatif("--without", "stalls")


def test_names_that_are_not_there_say_which_are(late):
    for ask, what in ((lambda: late.table("kernel"), "'kernel' is no list of the report; did you mean 'kernels'?"),
                      (lambda: late.table("foo"), "'foo' is no list of the report. There are: "),
                      (lambda: late.ledgr, "'ledgr' is no key of Report; did you mean 'ledger'?"),
                      (lambda: late.steps.lst, "'lst' is no key of Steps; did you mean 'list'?"),
                      (lambda: late.ledger.rows["compte"], "'compte' is no key here; did you mean 'compute'?"),
                      (lambda: late.health()["checkz"], "did you mean 'checks'?"),
                      (lambda: late["ledgr"], "'ledgr' is no key of Report; did you mean 'ledger'?"),
                      (lambda: late["ledger"]["foo"], "'foo' is no key here. There are: "),
                      (lambda: tauprof.of_json(dict(late.json))["foo"], "'foo' is no key of Report. There are: "),
                      (lambda: late.health().checkz, "'checkz' is no key of Checklist; did you mean 'checks'?")):
        with pytest.raises((KeyError, AttributeError)) as caught:
            ask()
        assert what in str(caught.value), caught.value
    assert not hasattr(late, "ledgr")
    assert copy.deepcopy(late) == late


def test_every_table_that_there_is_can_be_had(late):
    pytest.importorskip("pandas")
    assert {"kernels", "steps.list", "per_rank", "operators", "call_tree"} <= set(late.tables())
    for name in late.tables():
        late.table(name)


@pytest.mark.parametrize(("module", "call", "said"), [
    ("pandas", "tauprof.load({logs!r}).table('kernels')", "a table needs pandas, which .* lacks: pip install pandas; "),
    ("pyarrow", "tauprof.to_parquet({logs!r}, {logs!r} + '-tables')", "Parquet needs pyarrow in .*: pip install pyarrow"),
])
def test_what_is_not_installed_is_named(logs, module, call, said):
    """Without the module, as in a new environment: the error's line says what to do."""
    code = f"import sys; sys.modules[{module!r}] = None; import tauprof; {call.format(logs=str(logs('plain')))}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": PACKAGE})
    assert done.returncode == 1 and re.search(f"^ImportError: {said}", done.stderr, re.MULTILINE), done.stderr
    assert "During handling" not in done.stderr


def test_without_the_program_it_is_said_what_to_do(logs, monkeypatch, tmp_path, late):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TAUPROF_PROGRAM", raising=False)
    said = "^tauprof: No such file or directory; install tauprof's wheel, put "
    for ask in (lambda: tauprof.load(logs("plain")), lambda: late.whatif("--without", "stalls")):
        with pytest.raises(tauprof.TauprofError, match=said) as caught:
            ask()
        assert "\n" not in str(caught.value) and caught.value.__suppress_context__
