"""The answers of a report on an operation trace, under the names that the publishers of the method gave them."""

import json
import math
import subprocess


def import_trace(tauprof, source, logs):
    return subprocess.run([tauprof, "import", "ops-csv", source, "-o", logs], capture_output=True, text=True)


def analyze(tauprof, logs, *options):
    return subprocess.run([tauprof, "analyze", logs, "--json", "-", *options], capture_output=True, text=True)


def whatif_of(tauprof, source, logs, *options):
    imported = import_trace(tauprof, source, logs)
    assert imported.returncode == 0, imported.stderr
    printed = analyze(tauprof, logs, *options)
    assert printed.returncode == 0, printed.stderr
    report = json.loads(printed.stdout)
    assert report["run"]["source"] == "ops-csv"
    return report["whatif"]


def published_answers(whatif):
    def of_steps(key):
        return {str(step["step"]): step[key] / 1e9 if key.endswith("_ns") else step[key] for step in whatif["by_step"]}

    def explained(name):
        detail = whatif[name + "_detail"]
        return detail and {"tori": whatif["t_nodelay_ns"] / 1e9, "tideal": whatif["t_ideal_to_last_end_ns"] / 1e9,
                           "trem": detail["t_repaired_ns"] / 1e9, "tadd": detail["t_alone_ns"] / 1e9,
                           "rem": detail["removed"], "add": detail["added"]}

    answers = {"step_t_base": of_steps("t_measured_ns"), "step_t_nodelay": of_steps("t_nodelay_ns"),
               "step_t_noblk": of_steps("t_ideal_to_last_end_ns"), "launch_slowdown": whatif["launch_slowdown"],
               "blocking_slowdown": whatif["slowdown"], "launch_step_slowdown": of_steps("launch_slowdown"),
               "blocking_step_slowdown": of_steps("slowdown"), "mw": explained("m_w"), "ms": explained("m_s")}
    for published, ours in (("dp_rank", "by_dp_rank"), ("stage", "by_stage"), ("optype", "by_op")):
        for kind, prefix in (("blocking", ""), ("launch", "launch_")):
            name, key = f"{kind}_decompose_by_{published}", prefix + ours
            answers[name] = whatif[key]
            per_step = of_steps(key)
            answers[name + "_per_step"] = None if None in per_step.values() else per_step
    return answers


def differences(found, expected, at="", tolerance=1e-6):
    """A line for each value that is not the expected one."""
    if isinstance(expected, dict):
        expected = {str(key): value for key, value in expected.items()}
        if not isinstance(found, dict) or set(found) != set(expected):
            yield f"{at}: {found} instead of {expected}"
            return
        for key, value in expected.items():
            yield from differences(found[key], value, f"{at}/{key}", tolerance)
    elif expected is None or found is None:
        if found is not expected:
            yield f"{at}: {found} instead of {expected}"
    elif not math.isclose(found, expected, rel_tol=tolerance, abs_tol=1e-9):
        yield f"{at}: {found} instead of {expected}"
