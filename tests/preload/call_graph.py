"""Who calls whom in object files of x86-64: functions and data by name, and what each refers to.

A function refers to what it calls or jumps to, and to each function or table whose address it takes; a table refers to
what it points at. So a pointer counts as called by whoever reads it, or the table that it lies in. Calls through
pointers that were stored elsewhere are found there.

References between sections are relocations. Those within a section were resolved by the assembler: they are read from
the disassembly.
"""

import bisect
import collections
import re
import struct
import subprocess
from dataclasses import dataclass, field

BRANCH = re.compile(r"^\s*([0-9a-f]+):\s+(?:bnd |notrack )?(?:call|j[a-z]+)\s+([0-9a-f]+) <")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s")
SECTION = re.compile(r"^Disassembly of section (.+):$")

SHT_RELA, SHT_NOBITS = 4, 8
SHF_ALLOC, SHF_EXECINSTR = 2, 4
STT_SECTION, STT_FILE = 3, 4
RELATIVE = {2, 4, 9, 41, 42, 22, 19, 34}  # R_X86_64_PC32, PLT32, GOTPCREL…: the address counts from behind the field
SIZE_OF_FIELD = 4


@dataclass
class Graph:
    references: dict = field(default_factory=lambda: collections.defaultdict(set))

    def chain(self, root, forbidden, passes=lambda name: False):
        """The shortest chain of names from root to one of `forbidden`, or None. Does not go on where passes(name)."""
        came_from, queue = {root: None}, collections.deque([root])
        while queue:
            node = queue.popleft()
            for other in sorted(self.references.get(node, ())):
                if other in forbidden:
                    return [*_way_to(node, came_from), other]
                if other not in came_from and not passes(other):
                    came_from[other] = node
                    queue.append(other)
        return None


def _way_to(node, came_from):
    way = []
    while node is not None:
        way.append(node)
        node = came_from[node]
    return way[::-1]


class ObjectFile:
    """The sections, symbols and relocations of one relocatable file."""

    def __init__(self, path):
        self.path = path
        self.bytes = open(path, "rb").read()
        assert self.bytes[:4] == b"\x7fELF" and self.bytes[4] == 2 and self.bytes[18] == 62, f"{path}: not for x86-64"
        self._read_sections()
        self._read_symbols()

    def _read_sections(self):
        table, = struct.unpack_from("<Q", self.bytes, 40)
        size, count, names = struct.unpack_from("<HHH", self.bytes, 58)
        first = struct.unpack_from("<IIQQQQIIQQ", self.bytes, table)
        count, names = count or first[5], names if names != 0xFFFF else first[6]
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, table + i * size) for i in range(count)]
        strings = self.sections[names][4]
        self.section_names = [self._text(strings + section[0]) for section in self.sections]

    def _text(self, offset):
        return self.bytes[offset:self.bytes.index(b"\0", offset)].decode()

    def _read_symbols(self):
        [index] = [i for i, section in enumerate(self.sections) if section[1] == 2]
        section = self.sections[index]
        strings = self.sections[section[6]][4]
        wide = next((s for s in self.sections if s[1] == 18), None)  # numbers of sections that do not fit into 16 bits
        self.symbols = []
        self.places = collections.defaultdict(list)  # by section: (value, name)
        for i in range(section[5] // 24):
            name, info, _, where, value, size = struct.unpack_from("<IBBHQQ", self.bytes, section[4] + 24 * i)
            if where == 0xFFFF and wide:
                where, = struct.unpack_from("<I", self.bytes, wide[4] + 4 * i)
            kind, is_local = info & 15, info >> 4 == 0
            text = self._text(strings + name).split("@")[0]
            if is_local and kind not in (STT_SECTION, STT_FILE):
                text = f"{text} [{self.path.rsplit('/', 1)[-1]}:{where}:{value:x}]"
            self.symbols.append((text, kind, where, value))
            if where and where < len(self.sections) and kind not in (STT_SECTION, STT_FILE):
                self.places[where].append((value, size, text))
        for places in self.places.values():
            places.sort()

    def name_at(self, section, offset):
        """The name of the function or table that lies there; an unnamed part of a section by its number."""
        places = self.places.get(section, [])
        position = bisect.bisect_right(places, (offset, float("inf"), "")) - 1
        while position >= 0 and places[position][0] + max(places[position][1], 1) <= offset and places[position][1]:
            position -= 1
        if position < 0:
            return f"{self.section_names[section]} [{self.path.rsplit('/', 1)[-1]}:{section}]"
        return places[position][2]

    def add_to(self, graph):
        relocated = collections.defaultdict(set)
        for section in self.sections:
            if section[1] == SHT_RELA and self.sections[section[7]][2] & SHF_ALLOC:
                self._add_relocations(graph, section, relocated)
        self._add_branches(graph, relocated)

    def _add_relocations(self, graph, table, relocated):
        owner_section = table[7]
        if self.section_names[owner_section].startswith((".eh_frame", ".note")):
            return
        for i in range(table[5] // 24):
            offset, info, addend = struct.unpack_from("<QQq", self.bytes, table[4] + 24 * i)
            relocated[owner_section].add(offset)
            name, kind, section, value = self.symbols[info >> 32]
            distance = addend + (SIZE_OF_FIELD if info & 0xFFFFFFFF in RELATIVE else 0)
            # Below 0 where an operand follows the field: that means the symbol itself.
            if kind == STT_SECTION or (distance > 0 and 0 < section < len(self.sections)):
                name = self.name_at(section, value + distance)
            self._add(graph, self.name_at(owner_section, offset), name)

    def _add_branches(self, graph, relocated):
        disassembly = subprocess.run(["objdump", "-d", "--no-show-raw-insn", self.path], capture_output=True, text=True,
                                     check=True).stdout
        by_name = collections.defaultdict(list)
        for i, name in enumerate(self.section_names):
            if self.sections[i][2] & SHF_EXECINSTR and self.sections[i][5]:
                by_name[name].append(i)
        section, pending = None, None
        for line in disassembly.splitlines():
            if match := SECTION.match(line):
                section, pending = by_name[match[1]].pop(0), None  # sections come in their order
            elif match := INSTRUCTION.match(line):
                address = int(match[1], 16)
                self._add_branch(graph, section, pending, address, relocated)
                branch = BRANCH.match(line)
                pending = (address, int(branch[2], 16)) if branch else None

    def _add_branch(self, graph, section, pending, end, relocated):
        if pending and not any(at in relocated[section] for at in range(pending[0], end)):
            self._add(graph, self.name_at(section, pending[0]), self.name_at(section, pending[1]))

    @staticmethod
    def _add(graph, name, other):
        if name != other:
            graph.references[name].add(other)


def read_graph(paths):
    graph = Graph()
    for path in paths:
        ObjectFile(path).add_to(graph)
    return graph


def readable(names):
    """The names without the compiler's mangling."""
    text = subprocess.run(["c++filt"], input="\n".join(name.split(" [")[0] for name in names), capture_output=True,
                          text=True, check=True).stdout
    return [re.sub(r"tauprof::(\w+::)?", "", line) for line in text.splitlines()]
