"""What tauprof gets wrong in the programs of scenario_table.py, and why. Each is a defect to mend, not a rule."""

THREADS = "threads on one device: a step in whose own time nothing was launched is left out"
TOKENS = "each outermost forward pass is a step; nothing tells where a request ends"

# {(program, what): (why, whether it is wrong in every run)}
KNOWN_FAULTS = {
    ("four_threads", "steps"): (THREADS, False),
    ("four_threads", "window"): ("the log has steps of all threads until each has completed a round", False),
    ("four_threads", "first window"): ("the log has steps of all threads until each has completed a round", False),
    ("requests_word_by_word", "steps"): (TOKENS, True),
    ("requests_word_by_word", "window"): (TOKENS, True),
    ("requests_word_by_word", "first window"): (TOKENS, True),
}
