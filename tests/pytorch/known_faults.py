"""The faults of tauprof in the programs of scenario_table.py, and the reasons. Each is a defect to mend, not a rule."""

KNOWN_FAULTS = {}  # {(program, what): (why, whether it is wrong in every run)}
