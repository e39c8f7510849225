"""Code of a function, of CPython 3.11, that reports its own calls. Compiled into libtauprof.so like torch_marks.py.

3.11 runs a Python function that Python calls in the caller's C frame and asks nobody, so the function's own code has to
say when it starts and ends. Who reads the new code sees the old one, two instructions that do nothing in front of it,
and after its end a second copy that nothing leads to. What runs is the second copy:

  read                          run
  RESUME                        RESUME
  NOP                           EXTENDED_ARG
  NOP                           JUMP_FORWARD to the second copy
  the old code                  the old code, never reached
  the second copy:              the second copy:
    PUSH_NULL                     the same
    LOAD_CONST entry              the recorder's function
    LOAD_FAST the subject         if there is one
    CALL                          notes the start, and leaves a guard at the bottom of the stack
    the old code, in which        the same
    RETURN_VALUE is
    SWAP, POP_TOP, RETURN_VALUE   the guard goes, and notes the end; so it does when an exception unwinds the stack

So the frame, its lines and its handlers are the function's own, and whoever compiles the function anew, as Dynamo does,
compiles what PyTorch has written. All jumps of 3.11 are relative: the first copy needs no change, the second one only
where a jump crosses a RETURN_VALUE.
"""

import dis
import inspect
import opcode

KINDS_WITHOUT = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
PAD_UNITS = 2
NOTHING = (dis.opmap["NOP"], 0)
MOST_UNITS = 1 << 15  # what a jump with one EXTENDED_ARG surely crosses


class Instruction:
    """`size`: in units of two bytes, with its extended arguments and caches. `start`, `target`: units in the old code."""

    def __init__(self, start, operation, argument, size):
        self.start, self.operation, self.argument, self.size = start, operation, argument, size
        self.caches = opcode._inline_cache_entries[operation]
        self.target = None
        if operation in dis.hasjrel:
            self.target = start + size + (-argument if "BACKWARD" in dis.opname[operation] else argument)


def instructions_of(units, start):
    found, at = [], start
    while at < len(units):
        first, argument = at, units[at][1]
        while units[at][0] == dis.EXTENDED_ARG:
            at += 1
            argument = argument << 8 | units[at][1]
        operation = units[at][0]
        at += 1 + opcode._inline_cache_entries[operation]
        found.append(Instruction(first, operation, argument, at - first))
    return found


def assembled(operation, argument, size=0):
    """Units of one instruction; with more extended arguments than it needs where `size` asks for them."""
    caches = opcode._inline_cache_entries[operation]
    extended = max(size - 1 - caches, (max(argument.bit_length(), 1) - 1) // 8)
    units = [(dis.EXTENDED_ARG, argument >> 8 * i & 0xFF) for i in range(extended, 0, -1)]
    return units + [(operation, argument & 0xFF)] + [(dis.opmap["CACHE"], 0)] * caches


def bytes_of(units):
    return bytes(byte for unit in units for byte in unit)


def size_of_copy(instruction):
    return instruction.size + (2 if instruction.operation == dis.opmap["RETURN_VALUE"] else 0)


def placed(instructions, start, end):
    """{unit in the old code, which has `end`: unit in the copy that starts at `start`}; makes jumps fit."""
    while True:
        places, at = {}, start
        for instruction in instructions:
            places[instruction.start] = at
            at += size_of_copy(instruction)
        places[end] = at
        if not any([has_grown(instruction, places) for instruction in instructions]):
            return places


def has_grown(instruction, places):
    if instruction.target is None:
        return False
    before, end = instruction.size, places[instruction.start] + instruction.size
    instruction.argument = abs(places[instruction.target] - end)
    instruction.size = len(assembled(instruction.operation, instruction.argument, before))
    return instruction.size > before


def copy_of(instructions):
    units = []
    for instruction in instructions:
        if instruction.operation == dis.opmap["RETURN_VALUE"]:
            units += [(dis.opmap["SWAP"], 2), (dis.opmap["POP_TOP"], 0)]
        units += assembled(instruction.operation, instruction.argument, instruction.size)
    return units


def varint(number, first=0):
    """As the table of exceptions has numbers: six bits a byte, the highest first."""
    groups = [number & 63]
    while number > 63:
        number >>= 6
        groups.append(number & 63 | 64)
    groups[-1] |= first
    return bytes(reversed(groups))


def exception_entry(start, end, target, depth, is_lasti):
    return varint(start, 128) + varint(end - start) + varint(target) + varint(depth << 1 | is_lasti)


def exception_table(code, places):
    """Of both copies. In the second one the guard lies below what a handler finds on the stack."""
    found = [(e.start // 2, e.end // 2, e.target // 2, e.depth, e.lasti) for e in dis._parse_exception_table(code)]
    first = [exception_entry(start + PAD_UNITS, end + PAD_UNITS, target + PAD_UNITS, depth, is_lasti)
             for start, end, target, depth, is_lasti in found]
    second = [exception_entry(places[start], places[end], places[target], depth + 1, is_lasti)
              for start, end, target, depth, is_lasti in found]
    return b"".join(first + second)


def line_varint(number):
    """As the table of lines has numbers: six bits a byte, the lowest first."""
    groups = bytearray()
    while number > 63:
        groups.append(number & 63 | 64)
        number >>= 6
    groups.append(number)
    return bytes(groups)


def line_entry(position, units, line):
    """One entry, for at most 8 units; `line`: of the entry before."""
    first, last, column, last_column = position
    if first is None:
        return bytes([0x80 | 15 << 3 | units - 1])
    change = first - line
    change = line_varint(-change << 1 | 1 if change < 0 else change << 1)
    if last is None or column is None or last_column is None:
        return bytes([0x80 | 13 << 3 | units - 1]) + change
    return (bytes([0x80 | 14 << 3 | units - 1]) + change + line_varint(last - first) + line_varint(column + 1) +
            line_varint(last_column + 1))


def line_table(positions, first_line):
    table, at, line = [], 0, first_line
    while at < len(positions):
        units = 1
        while units < 8 and positions[at + units:at + units + 1] == [positions[at]]:
            units += 1
        table.append(line_entry(positions[at], units, line))
        line = line if positions[at][0] is None else positions[at][0]
        at += units
    return b"".join(table)


def call_of_entry(code, entry_place, subject):
    """A call of the constant with an argument of the function, if there is one; what it returns stays on the stack."""
    loads = []
    if subject:
        load = "LOAD_DEREF" if subject in code.co_cellvars else "LOAD_FAST"
        loads = assembled(dis.opmap[load], code.co_varnames.index(subject))
    count = 1 if subject else 0
    return (assembled(dis.opmap["PUSH_NULL"], 0) + assembled(dis.opmap["LOAD_CONST"], entry_place) + loads +
            assembled(dis.opmap["PRECALL"], count) + assembled(dis.opmap["CALL"], count))


def reporting_code(code, entry, subject):
    """(the code as it reads, the byte at which it differs, what runs there); None: this code cannot report.

    `entry` is called with the argument of the name `subject`, or with nothing ("").
    """
    units = list(zip(code.co_code[::2], code.co_code[1::2]))
    positions = list(code.co_positions())
    body = 1 + next((i for i, unit in enumerate(units) if unit[0] == dis.opmap["RESUME"]), len(units))
    if code.co_flags & KINDS_WITHOUT or body >= len(units) or len(units) > MOST_UNITS or len(positions) != len(units):
        return None
    if subject and subject not in code.co_varnames[:code.co_argcount + 2]:
        return None
    call = call_of_entry(code, len(code.co_consts), subject)
    second = len(units) + PAD_UNITS  # where the second copy starts
    instructions = instructions_of(units, body)
    places = placed(instructions, second + len(call), len(units))
    changed = {
        "co_code": bytes_of(units[:body] + [NOTHING] * PAD_UNITS + units[body:] + call + copy_of(instructions)),
        "co_consts": (*code.co_consts, entry),
        "co_stacksize": max(code.co_stacksize + 1, 3),
        "co_exceptiontable": exception_table(code, places),
        "co_linetable": line_table(positions[:body] + [positions[body]] * PAD_UNITS + positions[body:] +
                                   [positions[body]] * len(call) +
                                   [positions[i.start] for i in instructions for _ in range(size_of_copy(i))],
                                   code.co_firstlineno),
    }
    jump = assembled(dis.opmap["JUMP_FORWARD"], second - body - PAD_UNITS, PAD_UNITS)
    return code.replace(**changed), 2 * body, bytes_of(jump)
