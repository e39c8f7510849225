"""Code that reports its own calls (Python 3.11) does what the old code does, and reads like it. Needs no PyTorch."""

import argparse
import contextlib
import ctypes
import dis
import inspect
import pathlib
import pickle
import runpy
import subprocess
import sys
import tarfile
import traceback

import pytest

pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="this Python's functions are watched otherwise")

MARKS = pathlib.Path(__file__).resolve().parent.parent.parent / "preload" / "python" / "marks"


@pytest.fixture(scope="module", name="reporting_code")
def made_by():
    return runpy.run_path(str(MARKS / "reporting_code.py"))["reporting_code"]


def functions_of(*modules):
    for module in modules:
        for thing in vars(module).values():
            of_class = vars(thing).values() if inspect.isclass(thing) else [thing]
            yield from (function for function in of_class if inspect.isfunction(function))


def after_entry(instructions, start):
    """Those of the second copy, which starts at this byte, behind the call of the entry."""
    second = [instruction for instruction in instructions if instruction.offset >= start]
    call = next(i for i, instruction in enumerate(second) if instruction.opname == "CALL")
    return second[call + 1:]


def without_extensions(instructions):
    return [instruction for instruction in instructions if instruction.opname != "EXTENDED_ARG"]


def assert_second_copy(old, copy):
    """The same instructions, places and jumps; before each return, the guard goes."""
    place, expected = {}, []
    for instruction in old:
        place[instruction.offset] = len(expected)
        expected += ["SWAP", "POP_TOP"] if instruction.opname == "RETURN_VALUE" else []
        expected.append(instruction.opname)
    assert [instruction.opname for instruction in copy] == expected
    starts, copy_starts = [i.offset for i in old], [i.offset for i in copy]
    for instruction in old:
        at = place[instruction.offset] + (2 if instruction.opname == "RETURN_VALUE" else 0)
        assert copy[at].positions == instruction.positions
        if instruction.opcode not in dis.hasjrel:
            assert copy[at].arg == instruction.arg
            continue
        target = next(start for start in starts if start >= instruction.argval)  # behind its extensions
        assert next(i for i, start in enumerate(copy_starts) if start >= copy[at].argval) == place[target]


def test_both_copies_are_the_old_code(reporting_code):
    tried = 0
    for function in functions_of(argparse, inspect, tarfile, subprocess, traceback, dis):
        old = function.__code__
        made = reporting_code(old, len, "")
        if made is None:
            assert old.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE)
            continue
        tried += 1
        new, at, run = made
        instructions = list(dis.get_instructions(new))
        before = list(dis.get_instructions(old))
        body = next(i for i, instruction in enumerate(before) if instruction.opname == "RESUME") + 1
        first = [i for i in instructions if at + 4 <= i.offset < len(old.co_code) + 4]
        assert new.co_code[at:at + 4] == bytes([dis.opmap["NOP"], 0] * 2) and len(run) == 4
        assert [(i.opcode, i.arg, i.positions, i.offset - 4) for i in first] == \
            [(i.opcode, i.arg, i.positions, i.offset) for i in before[body:]]
        assert_second_copy(without_extensions(before[body:]),
                           without_extensions(after_entry(instructions, len(old.co_code) + 4)))
        assert len(dis._parse_exception_table(new)) == 2 * len(dis._parse_exception_table(old))
        assert pickle.loads(pickle.dumps(new.co_consts[-1])) is len
    assert tried > 500


def watch(function, reporting_code, log, subject):
    """As the recorder does, with Python objects as guards."""
    class Guard:
        def __del__(self):
            log.append("end")

    def entry(*given):
        log.append(("start", *given))
        return Guard()

    code, at, run = reporting_code(function.__code__, entry, subject)
    read = code.co_code
    assert code.co_code is read  # Python keeps it
    ctypes.memmove(id(code) + type(code).__basicsize__ + at, run, len(run))
    assert code.co_code is read
    function.__code__ = code


@contextlib.contextmanager
def noting(log):
    try:
        yield 1
    finally:
        log.append("left")


def winding(log, way, times=3):
    """Handlers in handlers, a cell, and returns and exceptions out of all of them."""
    def inner():
        return way

    with noting(log) as added:
        for i in range(times):
            try:
                if i == 1:
                    continue
                if way == "return" and i == 2:
                    return "early"
                if way == "raise":
                    raise ValueError(i)
                log.append(inner())
            except ValueError as error:
                raise KeyError("from a handler") from error
            finally:
                log.append("finally")
    while times > 0:
        times -= 1
        if way == "leave":
            break
    else:
        return "else"
    return times + added


def outcomes(log):
    found = []
    for way in ("return", "raise", "leave", "other"):
        for times in (0, 3):
            log.clear()
            try:
                result = winding(log, way, times)
            except KeyError:
                result = traceback.format_exc()
            found.append((way, result, list(log)))
    return found


def test_it_runs_as_the_old_code_does(reporting_code):
    log = []
    expected = outcomes(log)
    watch(winding, reporting_code, log, "way")
    for _ in range(30):  # in which the interpreter specialises it
        found = outcomes(log)
        assert [(way, result) for way, result, _ in found] == [(way, result) for way, result, _ in expected]
        for (way, _, notes), (_, _, notes_before) in zip(found, expected):
            assert notes == [("start", way), *notes_before, "end"]
