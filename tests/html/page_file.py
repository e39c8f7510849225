"""A page as a file, taken apart without a browser."""

import base64
import gzip
import html.parser
import json
import re


class Page:
    def __init__(self, path, json_path):
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.json_text = json_path.read_text(encoding="utf-8")
        self.report = json.loads(self.json_text)

    def element(self, identifier):
        """What an element of script type holds."""
        return re.search(rf'<script type="[^"]*" id="{identifier}">(.*?)</script>', self.text, re.DOTALL).group(1)

    def timeline(self):
        return json.loads(gzip.decompress(base64.b64decode(self.element("timeline-data"))))

    def tags(self):
        """Every tag with its attributes, as a browser's parser finds them."""
        found = []

        class Collector(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                found.append((tag, dict(attributes)))
        Collector().feed(self.text)
        return found
