"""A report in a line, and documents as short tables for notebooks."""

import html
import typing

ROWS = 8  # of the ledger and of repairs; the report has all

STYLE = "border-collapse:collapse;font-size:13px"


def duration(ns: typing.Optional[float]) -> str:
    """12.3 ms"""
    if ns is None:
        return "not known"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return "{:.4g} {}".format(ns / size, unit)
    return "{:.0f} ns".format(ns)


def counted(count: int, what: str) -> str:
    return "{} {}{}".format(count, what, "" if count == 1 else "s")


def run_of(document: typing.Dict[str, typing.Any]) -> str:
    """4 ranks, 3 steps of 248.1 ms"""
    steps, run = document["steps"], document["run"]
    mean = (steps.get("duration_ns") or steps.get("host_duration_ns") or {}).get("mean")
    count = counted(steps.get("count") or 0, steps.get("unit") or "step")
    return "{}, {}{}".format(counted(run["ranks"], "rank"), count, "" if mean is None else " of " + duration(mean))


def line_of(document: typing.Dict[str, typing.Any]) -> str:
    verdict = document.get("verdict")
    title = verdict["title"] if verdict else "no verdict"
    if len(title) > 100:
        title = title[:97] + "..."
    return "<tauprof.Report of {}: {}; {}; {}>".format(document["run"]["id"], run_of(document), title,
                                                       counted(len(document["findings"]), "finding"))


def table_of(document: typing.Dict[str, typing.Any]) -> str:
    """Of a report: verdict, ledger, repairs."""
    verdict = document.get("verdict")
    parts = ["<p><b>{}</b> {}</p>".format(escaped(document["run"]["id"]), escaped(run_of(document)))]
    if verdict:
        parts.append("<p><b>{}</b>: {}</p>".format(escaped(verdict["class"]), escaped(verdict["title"])))
    return page_of(*parts, ledger_of(document), repairs_of(document))


def answers_of(document: typing.Dict[str, typing.Any]) -> str:
    """Of `tauprof whatif`."""
    def saving(one):
        if one["step_ns"] is None:
            return one["reason"]
        return "{} ({:.1%})".format(duration(one["saves_ns_per_step"]), one["saves_share"] or 0)

    return page_of("<p><b>{}</b> {} of {}</p>".format(escaped(document["run_id"] or ""), escaped(document["unit"]),
                                                      duration(document["step_ns"])),
                   html_table(("if", "a {} takes".format(document["unit"]), "which saves"),
                              [(", ".join(one["changes"]), duration(one["step_ns"]), saving(one))
                               for one in document["scenarios"]], "scenario"))


def checks_of(document: typing.Dict[str, typing.Any]) -> str:
    """Of `tauprof health`."""
    rows = [(one["outcome"], one["id"], one["found"], one["limit"]) for one in document["checks"]]
    return page_of("<p><b>{}</b></p>".format(escaped(document["run"])),
                   html_table(("outcome", "check", "found", "should be"), rows, "check", most=len(rows)))


def change_of(document: typing.Dict[str, typing.Any]) -> str:
    """Of `tauprof diff`: the verdict, and the rows of the ledger that changed most."""
    def signed(ns):
        return ("+" if ns > 0 else "") + duration(ns)

    rows = sorted((document["ledger"]["rows"] or {}).items(), key=lambda row: -abs(row[1]["difference_ns"]))
    return page_of("<p><b>{}</b>: {}</p>".format(escaped(document["verdict"]["outcome"]),
                                                 escaped(document["verdict"]["text"])),
                   html_table(("per rank and step", "B", "A", "difference", "more than chance"),
                              [(row, duration(time["b_ns"]), duration(time["a_ns"]), signed(time["difference_ns"]),
                                {True: "yes", False: "no"}.get(time["significant"], "not judged"))
                               for row, time in rows], "row"))


def page_of(*parts: str) -> str:
    """HTML that needs nothing from elsewhere."""
    return "<div class='tauprof'>{}</div>".format("".join(parts))


def ledger_of(document: typing.Dict[str, typing.Any]) -> str:
    ledger = document.get("ledger")
    if not ledger or not ledger["step_ns"]:
        return ""
    rows = sorted(((time, row) for row, time in ledger["rows"].items() if time), reverse=True)
    step = (document["steps"]["duration_ns"] or {}).get("mean") or 0
    return html_table(("where the time goes", "in a step", "share"),
                      [(row, duration(step * time / ledger["step_ns"]), "{:.1%}".format(time / ledger["step_ns"]))
                       for time, row in rows], "row")


def repairs_of(document: typing.Dict[str, typing.Any]) -> str:
    return html_table(("repair", "saves in a step", "what to do"),
                      [(finding["title"], duration(finding["saves_ns_per_step"]), finding.get("advice") or "")
                       for finding in document["findings"]], "finding")


def html_table(heads: typing.Sequence[str], rows: typing.Sequence[typing.Sequence[str]], what: str,
               most: int = ROWS) -> str:
    if not rows:
        return ""
    lines = ["<tr>{}</tr>".format("".join("<th style='text-align:left'>{}</th>".format(head) for head in heads))]
    lines += ["<tr>{}</tr>".format("".join("<td style='text-align:left'>{}</td>".format(escaped(cell)) for cell in row))
              for row in rows[:most]]
    if len(rows) > most:
        lines.append("<tr><td colspan='{}'>and {}</td></tr>".format(len(heads), counted(len(rows) - most, "more " + what)))
    return "<table style='{}'>{}</table>".format(STYLE, "".join(lines))


def escaped(text: object) -> str:
    return html.escape(str(text))
