"""What tauprof gets wrong in the programs of scenario_table.py, and why. Each is a defect to mend, not a rule."""

# {(program, what): (why, whether it is wrong in every run)}
KNOWN_FAULTS = {
    ("four_threads", "steps"): ("on a busy machine threads end steps at the same time, and one is lost", False),
    ("four_threads", "window"): ("the log has steps of all threads until each has completed a round", False),
    ("four_threads", "first window"): ("the log has steps of all threads until each has completed a round", False),
}
