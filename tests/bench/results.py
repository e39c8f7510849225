"""Results as Markdown, for the terminal and for the marked parts of docs/performance.md and docs/comparison.md."""

import re

BEGIN, END = "<!-- results of scripts/bench -->", "<!-- end of results -->"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def spread(line):
    return f"{number(line['median'])} ({number(line['min'])} – {number(line['max'])})"


def table(heads, rows):
    lines = ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *rows)]
    return "\n".join(lines)


def measures_table(measures):
    rows = []
    for line in measures:
        cpu = f"{line['cpu_seconds']:.2f}" if "cpu_seconds" in line else ""
        peak = number(line["peak_mb"]) if "peak_mb" in line else ""
        verdict = ("met" if line["met"] else "**missed**") if "aim" in line else ""
        rows.append([line["what"], line["unit"], number(line["median"]), number(line["min"]), number(line["max"]), cpu,
                     peak, line.get("aim", ""), verdict])
    return table(["", "unit", "median", "min", "max", "CPU s", "peak MB", "aim", ""], rows)


def growth_table(rows):
    unit = rows[0]["rate"]["unit"]
    return table(["ranks", "s", unit, "CPU s", "peak MB", rows[0]["per_rank"]["what"]],
                 [[str(row["ranks"]), spread(row["time"]), number(row["rate"]["median"]),
                   f"{row['time']['cpu_seconds']:.2f}", number(row["time"]["peak_mb"]), spread(row["per_rank"])]
                  for row in rows])


def section_text(section):
    parts = [f"### {section['title']}", *section["facts"]]
    if "skipped" in section:
        return "\n\n".join([*parts, f"SKIPPED: {section['skipped']}"])
    if section["measures"]:
        parts.append(measures_table(section["measures"]))
    for title, rows in section.get("growth", {}).items():
        parts += [title + ":", growth_table(rows)]
    load = section["load"]
    parts.append(f"Load at the start: {load['load_at_start']:.2f}; other processes used {load['others_share']:.0%} of "
                 f"the cores ({load['seconds']:.0f} s).")
    return "\n\n".join(parts)


def machine_text(results):
    machine = results["machine"]
    size = "a tenth of the size" if results["quick"] else "full size"
    return (f"{results['date']}, {machine['cores']} cores ({machine['cpu']}), {machine['memory_gb']:.0f} GB, "
            f"{machine['system']}; {results['version']}, {machine['compiler']}, Python {machine['python']}. "
            f"Median of {results['rounds']} rounds after a warm-up, {size}.")


def results_text(results):
    return "\n\n".join([machine_text(results), *(section_text(s) for s in results["sections"].values())]) + "\n"


def heading(section):
    return section.splitlines()[0]


def write_into(folder, results):
    """Each section goes into the document that it names, else into performance.md."""
    of_document = {}
    for section in results["sections"].values():
        text = f"{section_text(section)} {machine_text(results)}"
        of_document.setdefault(section.get("document", "performance.md"), {})[heading(text)] = text
    for name, sections in of_document.items():
        replace_sections(folder / name, sections)


def replace_sections(document, new):
    """New sections replace old ones with the same heading; each says on which machine it was measured."""
    before, rest = document.read_text(encoding="utf-8").split(BEGIN)
    old, after = rest.split(END)
    sections = {heading(text): text.strip() for text in re.split(r"^(?=### )", old, flags=re.MULTILINE) if text.strip()}
    sections.update(new)
    document.write_text("\n\n".join([f"{before}{BEGIN}", *sections.values(), f"{END}{after}"]), encoding="utf-8")
