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

    def write(self, document):
        before, _, rest = document.read_text(encoding="utf-8").partition(FIRST)
        after = rest.partition(LAST)[2]
        text = "\n".join(self._line(self.rows[title]) for title in sorted(self.rows, key=self.places.get))
        document.write_text(f"{before}{FIRST}\n{HEAD}\n{text}\n{LAST}{after}", encoding="utf-8")

    def _line(self, row):
        tried, passed = self.tried.get(row["title"], 0), self.passed.get(row["title"], 0)
        times = f"{tried:,}" if passed == tried else f"{tried:,}, **{tried - passed:,} failed**"
        return f"| {row['title']} | {times} | {row['loses']} | {row['says']} |"

    @staticmethod
    def rows_of(document):
        """{title: (what is lost, what is said)}"""
        table = document.read_text(encoding="utf-8").partition(FIRST)[2].partition(LAST)[0]
        lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[3:]]
        return {cells[0]: (cells[2], cells[3]) for cells in lines if len(cells) == 4}
