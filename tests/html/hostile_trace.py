"""A trace whose names try to become part of the page that shows them."""

from kineto_trace import Trace

NAMES = [
    "</script><script>document.title='taken'</script>",
    "<img src=x onerror=\"document.title='taken'\">",
    "--><svg onload=document.title='taken'>",
    "\"'`;document.title='taken'//\u2028",
    "@report@ @timeline@ <!-- &lt;b&gt; ${document.title='taken'}",
    "]]></style><style>*{display:none}</style>",
]


def hostile_traces(folder):
    """Two ranks with three steps; kernels, calls and ranges have the names."""
    folder.mkdir()
    for rank in range(2):
        trace = Trace(rank=rank, world=2)
        for step in range(3):
            start = 10_000 * step
            trace.step(step, start, start + 9_000)
            for at, name in enumerate(NAMES):
                trace.annotation(name, start + 100 + 900 * at, start + 800 + 900 * at)
                trace.kernel(start + 200 + 900 * at, start + 700 + 900 * at, name=name)
                trace.call(name, start + 710 + 900 * at, start + 790 + 900 * at)
        trace.write(folder / f"rank-{rank}.json")
    return folder
