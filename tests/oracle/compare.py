"""Differences between a report and what the oracle expects, as (path, expected, got)."""

from fractions import Fraction


def differences(expected, got):
    found = []
    for section in expected:
        if section not in got:
            found.append((section, "a section", "nothing"))
        else:
            _section(section, expected[section], got[section], found)
    return found


def table(found, limit=40):
    lines = [f"{path}: expected {_shown(want)}, got {_shown(have)}" for path, want, have in found[:limit]]
    if len(found) > limit:
        lines.append(f"and {len(found) - limit} more")
    return "\n".join(lines)


def _shown(value):
    return float(value) if isinstance(value, Fraction) and value.denominator != 1 else value


def _section(section, expected, got, found):
    if section == "phases":
        _phases(_keyed(expected, _name), _keyed(got, _name), found)
    elif section == "collectives":
        _rows(section, _keyed(expected, collective_key), _keyed(got, collective_key), found)
    elif section == "communication":
        _communication(expected, got, found)
    elif section == "messages":
        _rows("messages.channels", _keyed(expected["channels"], _channel), _keyed(got["channels"], _channel), found)
    elif section == "kernels":
        _rows(section, _keyed(expected, _kernel), _keyed(got, _kernel), found)
    elif section == "per_rank":
        _rows(section, _keyed(expected, _rank), _keyed(got, _rank), found)
    elif section == "stragglers":
        _stragglers(expected, got, found)
    elif section == "steps":
        _values(section, {**expected, "list": _keyed(expected["list"], _step)},
                {**got, "list": _keyed(got["list"], _step)}, found)
    elif section == "efficiency":
        _values(section, {**expected, "waterfall": _keyed(expected["waterfall"], _name)},
                {**got, "waterfall": _keyed(got["waterfall"], _name)}, found)
    elif section == "ledger":
        _ledger(expected, got, found)
    else:
        _values(section, expected, got, found)


def _name(row):
    return row["name"]


def _kernel(row):
    return row["name"], row["class"]


def _rank(row):
    return row["rank"]


def _step(row):
    return row["step"]


def collective_key(row):
    """The row's key, with operation and type normalised from any usual spelling."""
    op = row["op"].lower().replace("_", "").replace("-", "").removeprefix("nccl")
    op = {"sendreceive": "sendrecv", "alltoall": "alltoall"}.get(op, op)
    dtype = row["dtype"].lower().removeprefix("nccl")
    dtype = {"bf16": "bfloat16", "fp16": "float16", "half": "float16", "f16": "float16", "fp32": "float32",
             "float": "float32", "f32": "float32"}.get(dtype, dtype)
    return row["comm"], op, dtype, row["size_bytes"]


def _keyed(rows, key):
    return {key(row): row for row in rows}


def _rows(path, expected, got, found):
    for key in got.keys() - expected.keys():
        found.append((f"{path}[{key}]", "no such row", "a row"))
    for key, row in expected.items():
        if key not in got:
            found.append((f"{path}[{key}]", "a row", "nothing"))
            continue
        given = row.keys() - {"op", "dtype", "comm"}
        _values(f"{path}[{key}]", {name: row[name] for name in given}, got[key], found)


def _phases(expected, got, found):
    """Phases without time may be left out."""
    listed = {name: row for name, row in expected.items()
              if name in got or row["host_ns"]["max"] + row["device_ns"]["max"] > 0}
    _rows("phases", listed, got, found)


def _communication(expected, got, found):
    _values("communication.total", expected["total"], got["total"], found)
    for name, key in (("by_comm", "comm"), ("by_phase", "phase"), ("by_rank", "rank")):
        def keyed(rows, key=key):
            return {row[key]: row for row in rows}
        _rows(f"communication.{name}", keyed(expected[name]), keyed(got[name]), found)


def _channel(row):
    return row["comm"], row["source"], row["destination"]


def _ledger(expected, got, found):
    _values("ledger", {name: expected[name] for name in ("rows", "sum_ns", "step_ns")}, got, found)
    for phase in expected["by_phase"].keys() | got["by_phase"].keys():
        wanted, given = expected["by_phase"].get(phase, {}), got["by_phase"].get(phase, {})
        for row in wanted.keys() | given.keys():
            if wanted.get(row, 0) != given.get(row, 0):
                found.append((f"ledger.by_phase.{phase}.{row}", wanted.get(row, 0), given.get(row, 0)))


def _stragglers(expected, got, found):
    """Blame moves on from ranks that were made late, but none is lost: its sum and the most blamed rank are known.

    In a pipeline most waiting is nobody's fault, and the rank that others wait for most need not be the slow one. Nobody
    is blamed for arriving late at a communicator's first collective either, nor for the lateness that persists from it.
    """
    listed = [row["rank"] for row in got["found"]]
    if listed and expected["most_blamed"] is not None and listed[0] != expected["most_blamed"]:
        found.append(("stragglers.found (first)", expected["most_blamed"], listed[0]))
    blamed = sum(row["blamed_ns"] for row in got["ranks"]) + got["unblamed_ns"]
    least, most = expected["unblamed_ns"] or (0, expected["blame_ns"])
    if not least - len(got["ranks"]) <= got["unblamed_ns"] <= most + len(got["ranks"]):
        found.append(("stragglers.unblamed_ns", f"{least} to {most}", got["unblamed_ns"]))
    if abs(blamed - expected["blame_ns"]) > len(got["ranks"]):  # each rank's blame is rounded
        found.append(("stragglers.ranks.blamed_ns (sum)", expected["blame_ns"], blamed))
    rows = _keyed(got["ranks"], _rank)
    _rows("stragglers.ranks", _keyed(expected["ranks"], _rank), rows, found)
    for row in got["found"]:
        same = {"last_share": row["last_share"], "lateness_ns": rows[row["rank"]]["lateness_mean_ns"]}
        _values(f"stragglers.found[{row['rank']}]", same, row, found)
    _values("stragglers.rules", expected["rules"], got["rules"], found)


def _values(path, expected, got, found):
    for name, want in expected.items():
        where = f"{path}.{name}"
        if not isinstance(got, dict) or name not in got:
            found.append((where, want, "nothing"))
        elif isinstance(want, dict):
            _values(where, want, got[name], found)
        elif not _agree(where, want, got[name]):
            found.append((where, want, got[name]))


def _agree(path, want, have):
    if want is None or have is None or isinstance(want, (bool, str, list)):
        return want is have if isinstance(want, bool) else want == have
    if isinstance(have, bool) or not isinstance(have, (int, float)):
        return False
    if "_ns" in path and isinstance(have, int):
        return have == want if want == int(want) and not isinstance(want, float) else abs(have - want) < 1
    return abs(have - want) <= 1e-9 * max(1, abs(want))
