"""The checks' judgements of what other tools say, and of numbers: each of these finds what it looks for."""

import json

import pytest

from checks import costs, driver_threads, loaded_code, other_tools, tools_under_us


class Noted:
    """The expectations and notes of a trial."""

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


NCU = """==PROF== Connected to process 4711 (/tmp/launches)
==PROF== Profiling "count_up" - 0: 0%....50%....100% - 1 pass
5 launches
==PROF== Disconnected from process 4711
"ID","Process ID","Process Name","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","launches","count_up","Command line profiler metrics","gpu__time_duration.sum","nsecond","2,240"
"1","4711","launches","count_up","Command line profiler metrics","gpu__time_duration.sum","nsecond","2,144"
"""
GDB = """[New Thread 0x7ffff5a1f6c0 (LWP 4712)]
[Detaching after fork from child process 4713]
5 launches
[Thread 0x7ffff5a1f6c0 (LWP 4712) exited]
[Inferior 1 (process 4711) exited normally]
"""


def test_the_table_of_ncu_is_read():
    assert tools_under_us.kernels_of_ncu(NCU) == {"count_up": 2}
    assert not tools_under_us.kernels_of_ncu("==ERROR== ERR_NVGPUCTRPERM\n==WARNING== No kernels were profiled.\n")


def test_the_ends_that_tools_see_are_read():
    assert tools_under_us.summary_of_sanitizer("========= ERROR SUMMARY: 0 errors\n") == "0 errors"
    assert tools_under_us.summary_of_sanitizer("========= ERROR SUMMARY: 1 error\n") == "1 error"
    assert tools_under_us.summary_of_sanitizer("========= Error: no device\n") is None
    assert tools_under_us.end_seen_by_gdb(GDB) == "exited normally"
    assert tools_under_us.end_seen_by_gdb("[Inferior 1 (process 7) exited with code 01]") == "exited with code 01"
    assert tools_under_us.end_seen_by_gdb("Program terminated with signal SIGSEGV") is None


@pytest.mark.parametrize("bare, preloaded, wrong", [
    (NCU, NCU.replace("4711", "99").replace("2,240", "1,999"), 0),
    (GDB, GDB.replace("4711", "99") + "[New Thread 0x7ffff4a1f6c0 (LWP 9)]\ntauprof: CUPTI is taken\n", 0),
    ("[1/1] [0%      ] seen\r[1/1] [100%===] seen\n", "[1/1] [0%      ] seen\r[1/1] [50%=]\r[1/1] [100%===] seen\n", 0),
    ("Generating '/tmp/nsys-report-8f3a.qdstrm'\n", "Generating '/tmp/nsys-report-77bc.qdstrm'\n", 0),
    (NCU, NCU.replace("5 launches\n", ""), 1),
    (NCU, NCU + "==ERROR== Failed to connect\n", 1),
    (GDB, GDB.replace("exited normally", "exited with code 01"), 1)])
def test_only_what_a_tool_prints_anew_differs(bare, preloaded, wrong):
    noted = Noted()
    tools_under_us.compare_prints(noted, "output", bare, preloaded)
    assert len(noted.wrong) == wrong, noted.wrong


class Ran:
    def __init__(self, status=0, output="5 launches\n", errors=""):
        self.status, self.output, self.errors = status, output, errors


@pytest.mark.parametrize("preloaded, seen, wrong", [
    (Ran(), {"count_up": 5}, []),
    (Ran(status=1), {"count_up": 5}, ["the exit status is 0"]),
    (Ran(), {"count_up": 4}, ["the tool sees the same"]),
    (Ran(output=""), {"count_up": 5}, ["the same output"]),
    (Ran(errors="refused\n"), {"count_up": 5}, ["the same errors"])])
def test_tools_under_us_are_compared(preloaded, seen, wrong):
    noted = Noted()
    tools_under_us.compare_runs(noted, (Ran(), {"count_up": 5}), (preloaded, seen))
    assert len(noted.wrong) == len(wrong) and all(text in found for text, found in zip(wrong, noted.wrong))


@pytest.mark.parametrize("bare, recorded, wrong", [
    ("stays", "stays", []), ("ends", "ends", []),
    ("stays", "ends", ["does the same: it stays (it ends)"]), ("ends", "stays", ["does the same: it ends (it stays)"]),
    ("stays", None, ["does the same: it stays (it fails)"])])
def test_fates_are_compared(bare, recorded, wrong):
    noted = Noted()
    driver_threads.compare_fates(noted, (Ran(), bare), (Ran(), recorded))
    assert noted.evidence["result"] == bare
    assert len(noted.wrong) == len(wrong) and all(text in found for text, found in zip(wrong, noted.wrong))


def test_statuses_and_prints_of_processes_that_end_are_compared():
    noted = Noted()
    driver_threads.compare_fates(noted, (Ran(), "ends"), (Ran(status=-11, output=""), "ends"))
    assert noted.wrong == ["its exit status is 0 (it is -11)", "it prints the same"]


HANDLER = {"name": "cuda-EvtHandlr", "blocked_signals": "fffffffe7ffbfeff"}


@pytest.mark.parametrize("start, context, wrong", [
    ([], [HANDLER], []), ([], [HANDLER, {**HANDLER, "name": "cuda00001400006"}], []),
    ([], [], ["a thread cuda-EvtHandlr"]), ([HANDLER], [HANDLER], ["before cuInit"]),
    ([], [{**HANDLER, "blocked_signals": "0000000000000000"}], ["block all signals"])])
def test_threads_are_judged(start, context, wrong):
    noted = Noted()
    driver_threads.judge_threads(noted, {"start": start, "initialized": [], "context": context})
    assert len(noted.wrong) == len(wrong) and all(text in found for text, found in zip(wrong, noted.wrong))


@pytest.mark.parametrize("told, is_right", [
    (["plugin answers 101", "still mapped: False", "plugin answers 201", "still mapped: False"], True),
    (["plugin answers 101", "still mapped: True", "plugin answers 102", "still mapped: True"], False),
    (["plugin answers -999", "still mapped: False"], False), ([], False)])
def test_a_plugin_that_stays_is_found(told, is_right):
    noted = Noted()
    loaded_code.expect_two_builds(noted, "with us", ["device is up", "loaded", *told, "unloaded"])
    assert bool(noted.wrong) != is_right


@pytest.mark.parametrize("values,grows", [([10] * 10, False), (list(range(10, 30, 2)), True), ([8, 12] * 5, False)])
def test_growth_is_of_the_last_third_over_the_first(values, grows):
    assert (costs.growth_of(values) > costs.GROWTH) == grows


def test_next_to_nothing_has_no_growth():
    assert costs.growth_of([0.0] * 7 + [0.5] * 3) is None
