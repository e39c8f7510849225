"""Where a test finds a program: in the variable of its environment that ctest sets."""

import os

import pytest


def program(variable):
    path = os.environ.get(variable)
    if not path:
        pytest.skip(f"{variable} does not name the program to test")
    return path
