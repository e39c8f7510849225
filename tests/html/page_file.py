"""A page as a file, taken apart without a browser."""

import base64
import gzip
import html.parser
import json
import re


def unpacked_text(text):
    return gzip.decompress(base64.b64decode(text)).decode()


def unpacked(text):
    return json.loads(unpacked_text(text))


class Page:
    def __init__(self, path, json_path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.json_text = json_path.read_text(encoding="utf-8")
        self.report = json.loads(self.json_text)

    def element(self, identifier):
        """The content of an element of script type."""
        return re.search(rf'<script type="[^"]*" id="{identifier}">(.*?)</script>', self.text, re.DOTALL).group(1)

    def with_report(self, report):
        """The text of the page with another report in it."""
        packed = base64.b64encode(gzip.compress(json.dumps(report).encode())).decode()
        return self.text.replace(self.element("report"), packed)

    def timeline(self):
        """With the spans of each step in columns, as it is written."""
        timeline = unpacked(self.element("timeline-data"))
        timeline["steps"] = [facts | unpacked(packed) for facts, packed in zip(timeline["steps"], json.loads(self.element("steps-data")))]
        return timeline

    def spans(self, step, row):
        """Name, kind, start and length of each span of a row."""
        names = self.timeline()["names"]
        rows, unit, end, found = step["rows"], step["unit_ns"], 0, []
        content = rows["content"][row]
        for name, kind, start, length in zip(rows["names"][content], rows["kinds"][content], rows["start"][row], rows["ns"][row]):
            found.append((names[name] if name >= 0 else None, kind, unit * (end + start), unit * length))
            end += start + length
        return found

    def tags(self):
        """Every tag with its attributes, as a browser's parser finds them."""
        found = []

        class Collector(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                found.append((tag, dict(attributes)))
        Collector().feed(self.text)
        return found
