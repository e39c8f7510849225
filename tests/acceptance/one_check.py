"""Runs one check in a process of its own: one_check.py NAME WORKPLACE. See isolation.py."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys

from check import Lacked, failing, lacking, outcome_of
from check_list import selected
from pieces import Pieces
from trial import Trial

SETTINGS, OUTCOME = "settings.json", "outcome.json"


def write_settings(workplace, settings, machine, pieces):
    told = {"settings": settings, "machine": machine, "pieces": dataclasses.asdict(pieces)}
    (workplace / SETTINGS).write_text(json.dumps(told, default=str), encoding="utf-8")


def pieces_from(told):
    return Pieces(*(pathlib.Path(told[name]) 
                    for name in ("tauprof", "library", "training", "second_plugin", "native")), told["made_of"])


def look(trial):
    """Whatever happens in a check is its outcome."""
    check = trial.check
    try:
        check.look(trial)
    except Lacked as error:
        if trial.wrong:
            return outcome_of(check, trial.wrong, trial.evidence, trial.runs.said())
        return lacking(check, str(error), trial.evidence, trial.runs.said())
    except Exception as error:
        trial.wrong.append(f"the check broke: {type(error).__name__}: {error}")
        return failing(check, trial.wrong[-1], trial.evidence, trial.runs.said())
    return outcome_of(check, trial.wrong, trial.evidence, trial.runs.said() if trial.wrong else "")


def main():
    name, workplace = sys.argv[1], pathlib.Path(sys.argv[2])
    told = json.loads((workplace / SETTINGS).read_text(encoding="utf-8"))
    [check] = selected([name])
    folder = workplace / name
    trial = Trial(check, told["settings"], told["machine"], pieces_from(told["pieces"]), folder)
    outcome = look(trial)
    (folder / OUTCOME).write_text(json.dumps(vars(outcome)), encoding="utf-8")


if __name__ == "__main__":
    main()
