"""Units of the report's numbers."""

Nanoseconds = int  # on the run's clock
