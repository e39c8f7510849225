"""What tauprof gets wrong in the programs of scenario_table.py, and why. Each is a defect to mend, not a rule."""

KNOWN_FAULTS = {}  # {(program, what): (why, whether it is wrong in every run)}
