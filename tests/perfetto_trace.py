"""Reads a Perfetto trace by the field numbers of perfetto/protos/perfetto/trace, without generated code."""

import collections
import struct

Slice = collections.namedtuple("Slice", "track name category start end facts flows")
Count = collections.namedtuple("Count", "track time value")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """A message's values by the number of their field, in lists."""
    values, at = collections.defaultdict(list), 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length, "cut short"
        else:
            raise AssertionError(f"wire type {wire}")
        values[number].append(value)
    return values


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Trace:
    def __init__(self, data):
        self.tracks = {}     # by uuid: its name
        self.parents = {}    # by uuid
        self.counters = {}   # by uuid: its unit
        self.slices, self.counts = [], []
        self._texts = {}     # by sequence, field of InternedData, iid
        self._open = collections.defaultdict(list)
        for packet in fields(data)[1]:
            self._read(fields(packet))
        assert not any(self._open.values()), "slices without an end"

    def process_of(self, track):
        while track in self.parents:
            track = self.parents[track]
        return self.tracks[track]

    def path_of(self, track):
        names = [self.tracks[track]]
        while track in self.parents:
            track = self.parents[track]
            names.insert(0, self.tracks[track])
        return tuple(names)

    def _read(self, packet):
        sequence, flags = packet[10][0], packet[13][0]
        if flags & 1:
            self._texts = {key: text for key, text in self._texts.items() if key[0] != sequence}
        for interned in packet.get(12, []):
            for field, entries in fields(interned).items():
                for entry in map(fields, entries):
                    self._texts[sequence, field, entry[1][0]] = entry[2][0].decode()
        for descriptor in map(fields, packet.get(60, [])):
            self._describe(descriptor)
        for event in map(fields, packet.get(11, [])):
            self._add(sequence, packet[8][0], event)

    def _describe(self, track):
        uuid = track[1][0]
        process = fields(track[3][0]) if 3 in track else None
        self.tracks[uuid] = (process[6][0] if process else track[2][0]).decode()
        if 5 in track:
            assert track[5][0] in self.tracks, "a track before its parent"
            self.parents[uuid] = track[5][0]
        if 8 in track:
            self.counters[uuid] = fields(track[8][0])[3][0]

    def _add(self, sequence, time, event):
        kind, track = event[9][0], event[11][0]
        assert track in self.tracks
        if kind == 4:
            assert track in self.counters
            self.counts.append(Count(track, time, signed(event[30][0])))
        elif kind == 1:
            name = event[23][0].decode() if 23 in event else self._texts[sequence, 2, event[10][0]]
            category = self._texts[sequence, 1, event[3][0]]
            assert not self._open[track] or self._open[track][-1][2] <= time, "a track goes back in time"
            self._open[track].append((name, category, time, self._facts(sequence, event), event.get(47, [])))
        elif kind == 2:
            name, category, start, facts, flows = self._open[track].pop()
            assert start <= time
            self.slices.append(Slice(track, name, category, start, time, facts, flows))
        else:
            raise AssertionError(f"event of type {kind}")

    def _facts(self, sequence, event):
        facts = {}
        for fact in map(fields, event.get(4, [])):
            text = self._texts[sequence, 29, fact[17][0]] if 17 in fact else signed(fact[4][0])
            facts[self._texts[sequence, 3, fact[1][0]]] = text
        return facts
