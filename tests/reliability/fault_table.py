"""The table of docs/reliability.md, between two marks in the document."""

FIRST, LAST = "<!-- faults -->", "<!-- /faults -->"
HEAD = "| fault | times tried | what is lost | what is said |\n| --- | --- | --- | --- |"


class FaultTable:
    def __init__(self):
        self.rows, self.places = {}, {}
        self.passed, self.tried = {}, {}

    def add(self, row, place):
        """`place`: (file, line), which gives the order of the rows."""
        self.rows.setdefault(row["title"], row)
        self.places.setdefault(row["title"], place)

    def count(self, title, has_passed):
        self.tried[title] = self.tried.get(title, 0) + 1
        self.passed[title] = self.passed.get(title, 0) + has_passed

    def write(self, document, keeps_others=False):
        """`keeps_others`: rows whose fault was not tried stay as they are."""
        before, _, rest = document.read_text(encoding="utf-8").partition(FIRST)
        after = rest.partition(LAST)[2]
        lines = {title: self._line(row) for title, row in self.rows.items()}
        if keeps_others:
            old = dict(zip(self.rows_of(document), self._old_lines(document), strict=True))
            lines = {**old, **{title: line for title, line in lines.items() if title in self.tried or title not in old}}
        if lines.keys() <= self.places.keys():
            lines = {title: lines[title] for title in sorted(lines, key=self.places.get)}
        document.write_text(f"{before}{FIRST}\n{HEAD}\n" + "\n".join(lines.values()) + f"\n{LAST}{after}", encoding="utf-8")

    def _line(self, row):
        tried, passed = self.tried.get(row["title"], 0), self.passed.get(row["title"], 0)
        times = f"{tried:,}" if passed == tried else f"{tried:,}, **{tried - passed:,} failed**"
        return f"| {row['title']} | {times} | {row['loses']} | {row['says']} |"

    @staticmethod
    def rows_of(document):
        """{title: (what is lost, what is said)}"""
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in FaultTable._old_lines(document)]
        return {cells[0]: (cells[2], cells[3]) for cells in rows if len(cells) == 4}

    @staticmethod
    def _old_lines(document):
        return document.read_text(encoding="utf-8").partition(FIRST)[2].partition(LAST)[0].splitlines()[3:]
