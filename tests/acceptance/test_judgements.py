"""What checks make of what other tools say, and of numbers: each of these finds what it looks for."""

import json

import pytest

from checks import costs, other_tools


class Noted:
    """What a trial expects and notes."""

    def __init__(self):
        self.wrong, self.evidence = [], {}

    def expect(self, what, is_so):
        self.wrong += [] if is_so else [what]
        return is_so

    def note(self, **facts):
        self.evidence.update(facts)


def rows(**counts):
    kinds = {"kernel": "kernel", "memcpy": "gpu_memcpy"}
    return [{"ph": "X", "cat": kinds.get(name, "cuda_runtime"), "name": name}
            for name, count in counts.items() for _ in range(count)]


@pytest.mark.parametrize("recorded,wrong", [
    ({"kernel": 5, "cudaLaunchKernel": 5, "cudaEventQuery": 3}, []),
    ({"kernel": 4, "cudaLaunchKernel": 5, "cudaEventQuery": 3}, ["the same device work"]),
    ({"kernel": 5, "cudaLaunchKernel": 5, "cudaEventQuery": 3, "cuptiFlush": 1}, ["no row of ours"]),
    ({"kernel": 5, "cudaLaunchKernel": 7, "cudaEventQuery": 3}, ["no launch and no event is more often"]),
])
def test_traces_are_compared(tmp_path, recorded, wrong):
    traces = []
    for way, counts in enumerate(({"kernel": 5, "cudaLaunchKernel": 5},
                                  {"kernel": 5, "cudaLaunchKernel": 5, "cudaEventQuery": 3}, recorded)):
        traces.append(tmp_path / f"trace{way}")
        traces[-1].write_text(json.dumps({"traceEvents": rows(**counts)}), encoding="utf-8")
    noted = Noted()
    other_tools.compare_traces(noted, traces[:2], traces[2])
    assert len(noted.wrong) == len(wrong)
    assert all(text in found for text, found in zip(wrong, noted.wrong))


def test_the_tree_of_proton_is_counted(tmp_path):
    leaf = {"frame": {"name": "add"}, "metrics": {"count": 3, "time (ns)": 5}, "children": []}
    tree = [{"frame": {"name": "ROOT"}, "metrics": {"count": 0}, "children": [
        {"frame": {"name": "training"}, "metrics": {}, "children": [leaf, leaf]}]}, {"CUDA": {}}]
    (tmp_path / "seen.hatchet").write_text(json.dumps(tree), encoding="utf-8")
    assert other_tools.kernels_of_proton(tmp_path / "seen.hatchet") == {"add": 6}


def test_the_statistics_of_nsight_are_read():
    printed = """Generating SQLite file seen.sqlite from seen.nsys-rep
Processing [seen.sqlite] with [cuda_gpu_mem_size_sum.py]...
Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation
8.192,2000,0.004,0.004,0.004,0.004,0.000,[CUDA memset]
0.004,1,0.004,0.004,0.004,0.004,0.000,[CUDA memcpy Device-to-Device]
"""
    assert other_tools.operations_in(printed) == {"[CUDA memset]": 2000, "[CUDA memcpy Device-to-Device]": 1}


@pytest.mark.parametrize("values,grows", [([10] * 10, False), (list(range(10, 30, 2)), True), ([8, 12] * 5, False)])
def test_growth_is_of_the_last_third_over_the_first(values, grows):
    assert (costs.growth_of(values) > costs.GROWTH) == grows


def test_next_to_nothing_has_no_growth():
    assert costs.growth_of([0.0] * 7 + [0.5] * 3) is None
