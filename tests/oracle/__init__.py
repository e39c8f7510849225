"""The report that a simulated job must have, computed from its truth by the plainest methods."""
