"""How the page writes the numbers of the report, once more."""

import math


def shown(report, path, how):
    """The text that the page must have for a value of the report: "steps.duration_ns.mean" as "ns" is "12.35 ms"."""
    value = report
    for key in path.split("."):
        if value is None:
            break
        value = value[int(key)] if isinstance(value, list) else value.get(key)
    return "–" if value is None else FORMATS[how](value)


def rounded(value, places):
    """As JavaScript's toFixed: the decimal nearest to the exact value, away from zero if two are."""
    from decimal import ROUND_HALF_UP, Decimal
    return str(Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def significant(value, digits=4):
    whole = max(1, math.floor(math.log10(abs(value) or 1)) + 1)
    return rounded(value, max(0, digits - whole))


def duration(ns):
    for limit, size, unit in ((999_950, 1e3, "µs"), (999_950_000, 1e6, "ms"), (math.inf, 1e9, "s")):
        if abs(ns) < 999.5:
            return f"{math.floor(ns + 0.5)} ns"
        if abs(ns) < limit:
            return f"{significant(ns / size)} {unit}"


def size(count):
    units = ["B", "KiB", "MiB", "GiB", "TiB"]
    at = 0
    while abs(count) >= 1024 and at + 1 < len(units):
        count /= 1024
        at += 1
    if at == 0:
        return f"{round(count)} B"
    text = significant(count)
    return (text.rstrip("0").rstrip(".") if float(text).is_integer() else text) + " " + units[at]


FORMATS = {
    "ns": duration,
    "bytes": size,
    "fine": lambda value: rounded(100 * value, 2) + " %",
    "share": lambda value: rounded(100 * value, 1) + " %",
    "count": lambda value: f"{math.floor(value + 0.5):,}".replace(",", "\u2009"),
    "fixed": lambda value: "0" if value == 0 else significant(value),
    "times": lambda value: rounded(value, 2) + "×",
    "text": str,
}
