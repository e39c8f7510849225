"""The place that the timeline of an open page shows."""


def place(tab):
    """Step, start and length of what the timeline shows, and the rank that it marks."""
    step, start, length, *rank = tab.evaluate("timeline.canvas.dataset.place").split()
    return int(step), int(start), int(length), int(rank[0]) if rank else None


def point(tab, row, time):
    """Where in the window a time of a row is, scrolled into view."""
    return tab.evaluate(f"""(() => {{ timeline.canvas.scrollIntoView({{ block: "center" }}); timeline.scrollToRow({row});
        const box = timeline.canvas.getBoundingClientRect(), place = timeline.rows.placeOfRow.get({row});
        return [box.x + timeline.x({time}), box.y + timeline.yOf(place) + place.height / 2]; }})()""")


def painted(tab):
    tab.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
