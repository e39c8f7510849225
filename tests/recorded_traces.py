"""Where the recorded traces are (tests/recorded/README.md)."""

import pathlib

RECORDED = pathlib.Path(__file__).resolve().parent / "recorded"
