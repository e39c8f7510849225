"""Who may include whom. The table below is the architecture; docs/architecture.md says why."""

import pathlib
import re
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE_FOLDERS = ("analyzer", "preload")

# The model is written in the log's vocabulary (operations, types, activities), so it comes with it.
MODEL = ("analyzer/model", "preload/log/format.h")

SIMULATED_DEVICES = ("preload/simgpu/engine/*.h",)

# The recorder's rooms from the bottom up; what a room may include lies below it. The rooms between the log's rows and
# the window stand side by side, except the two that others ask for names.
GROUND = ("preload/log", "preload/capture/base", "preload/capture/loader", "preload/capture/settings")
RECORDS = (*GROUND, "preload/capture/rings", "preload/capture/rows")
SOURCES_OF_RECORDS = (*RECORDS, "preload/capture/calls", "preload/capture/device", "preload/capture/stacks",
                      "preload/capture/telemetry")

# The layers that every room of the metrics may ask: the model, and those of the stages before it.
BEFORE_METRICS = (*MODEL, "analyzer/limits", "analyzer/classify", "analyzer/align", "analyzer/steps", "analyzer/phases")

# The headers of ours that the files of a folder may include, besides their own folder's. Only what stands above a
# folder in the table can be in its row, so that nothing ever depends on what comes later.
MAY_INCLUDE = {
    "preload/names": (),
    "preload/log": (),
    "preload/step_rounds": (),
    "preload/capture/base": ("preload/log", "preload/names"),
    "preload/capture/loader": ("preload/capture/base",),
    "preload/capture/settings": ("preload/capture/base", "preload/names"),
    "preload/capture/rings": GROUND,
    "preload/capture/rows": (*GROUND, "preload/names", "preload/capture/rings"),
    "preload/capture/calls": RECORDS,
    "preload/capture/device": (*RECORDS, "preload/capture/calls"),
    "preload/capture/stacks": RECORDS,
    "preload/capture/telemetry": RECORDS,
    "preload/capture/window": (*SOURCES_OF_RECORDS, "preload/names", "preload/step_rounds"),
    "preload/capture/framework": (*RECORDS, "preload/capture/calls", "preload/capture/window"),
    "preload/capture/writer": (*SOURCES_OF_RECORDS, "preload/capture/window", "preload/capture/framework"),
    "preload/capture/session": (*SOURCES_OF_RECORDS, "preload/capture/window", "preload/capture/framework",
                                "preload/capture/writer"),
    "preload/hooks": ("preload/names", "preload/log", "preload/capture"),
    "preload/python": (),
    # The simulator knows nothing of ours, and its fronts nothing of each other: NVIDIA's do not call each other's public
    # symbols either, and a profiler's hooks would see it.
    # The engine's interface lies in its folder, how it works in the folders below.
    "preload/simgpu": (),
    "preload/simgpu/engine": ("preload/simgpu/simgpu.h",),
    "preload/simgpu/cuda": SIMULATED_DEVICES,
    "preload/simgpu/cudart": SIMULATED_DEVICES,
    "preload/simgpu/cublas": SIMULATED_DEVICES,
    "preload/simgpu/cudnn": SIMULATED_DEVICES,
    "preload/simgpu/nccl": SIMULATED_DEVICES,
    "preload/simgpu/cupti": SIMULATED_DEVICES,
    "preload/simgpu/nvml": SIMULATED_DEVICES,
    "analyzer/model": ("preload/log/format.h",),
    "analyzer/limits": MODEL,
    "analyzer/read": (*MODEL, "preload/log/schema.def", "analyzer/limits"),
    "analyzer/timelines": (*MODEL, "preload/log", "analyzer/read"),
    "analyzer/import": ("preload/log", "analyzer/limits/log_limits.h", "analyzer/model/status.h", "analyzer/model/file_name.h", "analyzer/model/lower_case.h",
                        "analyzer/model/operation_trace.h", "analyzer/model/operation_words.h",
                        "analyzer/model/profiler_step.h", "analyzer/model/progress.h",
                        "analyzer/model/regular_file.h", "analyzer/model/terminal_text.h",
                        "analyzer/model/time_stretch.h"),
    # Operation traces share with the others where bytes come from and where logs go.
    "analyzer/import/operations": ("preload/log", "analyzer/import/byte_source.h", "analyzer/import/input_files.h",
                                   "analyzer/import/input_kind.h", "analyzer/import/log_place.h",
                                   "analyzer/model/status.h", "analyzer/model/file_name.h",
                                   "analyzer/model/operation_trace.h"),
    # Databases of nsys become logs by the same rules as traces.
    "analyzer/import/nsys": ("preload/log", "analyzer/limits/log_limits.h", "analyzer/import", "analyzer/model/status.h",
                             "analyzer/model/progress.h", "analyzer/model/time_stretch.h"),
    "analyzer/symbols": MODEL,
    "analyzer/classify": (*MODEL, "preload/names", "analyzer/limits"),
    "analyzer/align": (*MODEL, "analyzer/limits"),
    "analyzer/steps": (*MODEL, "preload/names", "preload/step_rounds", "analyzer/limits", "analyzer/classify"),
    "analyzer/phases": (*MODEL, "analyzer/limits", "analyzer/classify", "analyzer/steps"),
    "analyzer/metrics/statistics": BEFORE_METRICS,
    "analyzer/metrics/ledger": BEFORE_METRICS,
    "analyzer/metrics/calls": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/source_lines": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/places": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/efficiency": (*BEFORE_METRICS, "preload/names", "analyzer/metrics/statistics"),
    "analyzer/metrics/kernels": (*BEFORE_METRICS, "analyzer/metrics/statistics", "analyzer/metrics/efficiency"),
    "analyzer/metrics/call_tree": (*BEFORE_METRICS, "analyzer/metrics/statistics", "analyzer/metrics/kernels",
                                   "analyzer/metrics/places", "analyzer/metrics/source_lines"),
    "analyzer/metrics/memory": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/input": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/collectives": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/link_model": (*BEFORE_METRICS, "analyzer/metrics/statistics", "analyzer/metrics/collectives"),
    "analyzer/metrics/stragglers": (*BEFORE_METRICS, "analyzer/metrics/statistics", "analyzer/metrics/ledger",
                                    "analyzer/metrics/collectives"),
    "analyzer/metrics/telemetry": (*BEFORE_METRICS, "analyzer/metrics/statistics"),
    "analyzer/metrics/hangs": (*BEFORE_METRICS, "analyzer/metrics/collectives"),
    "analyzer/metrics/run": (*BEFORE_METRICS, "analyzer/metrics"),
    "analyzer/replay": (*MODEL, "preload/names", "analyzer/limits", "analyzer/steps", "analyzer/phases", "analyzer/metrics"),
    "analyzer/undisturbed": (*MODEL, "analyzer/limits", "analyzer/metrics/statistics", "analyzer/replay"),
    "analyzer/operations": ("analyzer/model/operation_trace.h", "analyzer/model/status.h", "analyzer/model/step_range.h",
                            "analyzer/limits", "analyzer/replay/operation_graph.h", "analyzer/replay/replay.h"),
    "analyzer/findings": (*MODEL, "preload/names", "analyzer/limits", "analyzer/metrics", "analyzer/replay"),
    "analyzer/report": (*MODEL, "analyzer/limits", "analyzer/metrics", "analyzer/replay", "analyzer/operations", "analyzer/findings"),
    "analyzer/diff": (*MODEL, "analyzer/limits", "analyzer/metrics", "analyzer/replay", "analyzer/findings", "analyzer/report"),
    "analyzer/python": ("analyzer/report", "analyzer/diff"),  # the schemas of their documents
    "analyzer/export": (*MODEL, "analyzer/limits", "analyzer/metrics", "analyzer/replay", "analyzer/findings", "analyzer/report"),
    "analyzer/html": (*MODEL, "analyzer/findings", "analyzer/report"),
    "analyzer/pipeline": (*MODEL, "analyzer/limits", "analyzer/read", "analyzer/timelines", "analyzer/import", "analyzer/export/output_place.h", "analyzer/symbols", "analyzer/classify", "analyzer/align", "analyzer/steps",
                          "analyzer/phases", "analyzer/metrics", "analyzer/replay", "analyzer/undisturbed", "analyzer/operations",
                          "analyzer/findings",
                          "analyzer/report", "analyzer/html"),
    "analyzer/cli": (*MODEL, "preload/names", "preload/log/file_calls.h", "analyzer/read", "analyzer/import", "analyzer/replay/question.h", "analyzer/report",
                     "analyzer/diff", "analyzer/export", "analyzer/html", "analyzer/pipeline"),
}

# Libraries that only some folders may use: words are for the edges, numbers for the stages.
LIBRARIES = {
    "fmt/": {"analyzer/import", "analyzer/import/operations", "analyzer/import/nsys", "analyzer/report", "analyzer/diff", "analyzer/export", "analyzer/cli"},
    "boost/": {"analyzer/metrics/statistics"},
    "elfutils/": {"analyzer/symbols"},
    "nlohmann/": {"analyzer/report", "analyzer/html", "analyzer/export"},
    "CLI/": {"analyzer/cli"},
    "protozero/": {"analyzer/export"},
    "sqlite3": {"analyzer/import/nsys", "analyzer/export"},
    "simdjson": {"analyzer/import"},
    "zlib": {"analyzer/import", "analyzer/html", "analyzer/export"},
    "libdeflate": {"analyzer/import"},
    "zstd": {"preload/log", "analyzer/read"},
    "xxhash": {"preload/log", "analyzer/read", "analyzer/timelines", "analyzer/import"},
}

VAGUE_WORDS = {"util", "utils", "common", "manager", "helper", "helpers", "misc"}
MOST_LINES = 400
GENERATED = ".inc"  # made by the build, from NVIDIA's headers
SOURCES = {".h", ".cpp", ".def", ".c", ".cu", ".cuh", ".py"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: ?:[^;{]*)? \{", re.MULTILINE)


def sources(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                yield path


def included_file(root, source, name):
    """The file of ours that an include names, as a path from the root; None: not one of ours."""
    for folder in (source.parent, *(root / folder for folder in INCLUDE_FOLDERS)):
        candidate = (folder / name).resolve()
        if candidate.is_file() and root in candidate.parents:
            return candidate.relative_to(root).as_posix()
    return None


def lies_in(path, entry):
    return path == entry or path.startswith(entry + "/") or pathlib.PurePosixPath(path).match(entry)


def folder_of(root, source):
    """The row that speaks for a file: of the folder within a layer where it has one."""
    parts = source.relative_to(root).parts[:-1]
    within = "/".join(parts[:3])
    return within if within in MAY_INCLUDE else "/".join(parts[:2])


def broken_includes(root):
    """A line for every include that the tables do not allow."""
    root = root.resolve()
    for source in sources(root, "preload", "analyzer"):
        folder, name = folder_of(root, source), source.relative_to(root).as_posix()
        if folder not in MAY_INCLUDE:
            yield f"{name}: no rule for {folder}; give it a row in MAY_INCLUDE"
            continue
        for quote, included in INCLUDE.findall(source.read_text(encoding="utf-8")):
            ours = included_file(root, source, included)
            if ours is None:
                if quote == '"' and not included.endswith(GENERATED):
                    yield f'{name}: "{included}" names no file of ours'
                yield from (f"{name}: {folder} may not use <{included}>"
                            for prefix, users in LIBRARIES.items()
                            if included.startswith(prefix) and folder not in users)
            elif not any(lies_in(ours, entry) for entry in (folder, *MAY_INCLUDE[folder])):
                yield f"{name}: {folder} may not include {ours}"


def include_graph(root):
    """Which unit includes which: a header and its source, `stem.h` and `stem.cpp`, are one unit."""
    root = root.resolve()
    graph = {}
    for source in sources(root, "preload", "analyzer"):
        unit = source.relative_to(root).with_suffix("").as_posix()
        included = {included_file(root, source, name) for _, name in INCLUDE.findall(source.read_text(encoding="utf-8"))}
        units = {pathlib.PurePosixPath(name).with_suffix("").as_posix() for name in included if name is not None}
        graph.setdefault(unit, set()).update(units - {unit})
    return graph


def include_cycles(root):
    """A line for each circle of files that include each other, directly or by way of others."""
    graph = include_graph(root)
    state, path = {}, []

    def visit(unit):
        state[unit] = "open"
        path.append(unit)
        for included in sorted(graph.get(unit, ())):
            if included not in state:
                yield from visit(included)
            elif state[included] == "open":
                yield " -> ".join([*path[path.index(included):], included])
        path.pop()
        state[unit] = "done"

    for unit in sorted(graph):
        if unit not in state:
            yield from visit(unit)


def names_defined_twice(root):
    """A line for each type that two headers define in one namespace: a clash that no compiler sees."""
    root = root.resolve()
    headers = {}
    for source in sources(root, "preload", "analyzer", "tests"):
        # The libraries of the simulated stack are never linked together.
        if source.suffix != ".h" or "simgpu" in source.parts:
            continue
        text = source.read_text(encoding="utf-8")
        namespace = NAMESPACE.search(text)
        for name in TYPE.findall(text):
            headers.setdefault((namespace and namespace.group(1), name), set()).add(source.relative_to(root).as_posix())
    for (namespace, name), files in sorted(headers.items(), key=str):
        if len(files) > 1:
            yield f"{namespace}::{name}: {', '.join(sorted(files))}"


def vague_names(root):
    for source in sources(root, "preload", "analyzer", "tests", "scripts"):
        if VAGUE_WORDS & set(re.split(r"[^a-z]+", source.stem.lower())):
            yield f"{source.relative_to(root)}: say what is in it instead"


def long_files(root):
    for source in sources(root, "preload", "analyzer", "tests"):
        lines = source.read_text(encoding="utf-8").count("\n")
        if lines > MOST_LINES:
            yield f"{source.relative_to(root)}: {lines} lines"


def test_includes_respect_the_layers():
    assert list(broken_includes(ROOT)) == []


def test_no_layer_includes_a_later_one():
    for position, (folder, row) in enumerate(MAY_INCLUDE.items()):
        earlier, later = list(MAY_INCLUDE)[:position], list(MAY_INCLUDE)[position + 1:]
        for entry in row:
            whole_layer = any(lies_in(known, entry) for known in earlier)
            assert whole_layer or any(lies_in(entry, known) for known in earlier), f"no row before {folder} is {entry}"
            assert not any(lies_in(known, entry) for known in later), f"{folder} may include {entry}, which comes later"


def test_no_files_include_each_other():
    assert list(include_cycles(ROOT)) == []


def test_no_two_headers_define_one_name():
    assert list(names_defined_twice(ROOT)) == []


def test_every_layer_exists():
    assert [folder for folder in MAY_INCLUDE if not (ROOT / folder).is_dir()] == []


def test_names_say_what_is_in_a_file():
    assert list(vague_names(ROOT)) == []


def test_long_files_are_listed():
    found = list(long_files(ROOT))
    if found:
        warnings.warn(f"over {MOST_LINES} lines, usually two ideas: " + "; ".join(found))


def write(root, **files):
    """A tree of source files: analyzer__read__a_h="text" stands for analyzer/read/a.h."""
    for name, text in files.items():
        path = root / (name.replace("__", "/")[::-1].replace("_", ".", 1)[::-1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_broken_rule_is_found(tmp_path):
    write(tmp_path, preload__log__format_h="", preload__log__writer_h="", preload__probes__cuda_cpp="",
          analyzer__model__trace_h='#include "log/format.h"\n#include <string>\n',
          analyzer__read__reader_h='#include "log/format.h"\n#include <zstd.h>\n',
          analyzer__align__good_cpp='#include "model/trace.h"\n// #include "read/reader.h"\n',
          analyzer__align__reads_cpp='#include "read/reader.h"\n',
          analyzer__align__writes_cpp="#  include <log/writer.h>\n",
          analyzer__align__climbs_cpp='#include "../read/reader.h"\n',
          analyzer__align__formats_cpp="#include <fmt/format.h>\n",
          analyzer__align__dreams_cpp='#include "model/nothing.h"\n')
    assert list(broken_includes(tmp_path)) == [
        "preload/probes/cuda.cpp: no rule for preload/probes; give it a row in MAY_INCLUDE",
        "analyzer/align/climbs.cpp: analyzer/align may not include analyzer/read/reader.h",
        'analyzer/align/dreams.cpp: "model/nothing.h" names no file of ours',
        "analyzer/align/formats.cpp: analyzer/align may not use <fmt/format.h>",
        "analyzer/align/reads.cpp: analyzer/align may not include analyzer/read/reader.h",
        "analyzer/align/writes.cpp: analyzer/align may not include preload/log/writer.h",
    ]


def test_a_circle_of_includes_is_found(tmp_path):
    write(tmp_path, analyzer__read__a_h='#include "read/b.h"\n', analyzer__read__b_h='#include "read/c.h"\n',
          analyzer__read__c_h="", analyzer__read__c_cpp='#include "read/c.h"\n#include "read/a.h"\n')
    assert list(include_cycles(tmp_path)) == ["analyzer/read/a -> analyzer/read/b -> analyzer/read/c -> analyzer/read/a"]


def test_a_name_defined_twice_is_found(tmp_path):
    write(tmp_path, analyzer__read__a_h="namespace tauprof {\nclass Block {\n};\n}\n",
          tests__format__b_h="namespace tauprof {\nclass Block;\nstruct Block : Base {\n};\n}\n",
          tests__format__c_h="namespace other {\nstruct Block {\n};\n}\n")
    assert list(names_defined_twice(tmp_path)) == ["tauprof::Block: analyzer/read/a.h, tests/format/b.h"]


def test_a_front_of_the_simulator_sees_only_its_engine(tmp_path):
    write(tmp_path, preload__log__format_h="", preload__simgpu__engine__stream_h="", preload__simgpu__nccl__group_h="",
          preload__simgpu__cupti__good_cpp='#include "simgpu/engine/stream.h"\n',
          preload__simgpu__engine__streams__state_h="",
          preload__simgpu__cupti__deep_cpp='#include "simgpu/engine/streams/state.h"\n',
          preload__simgpu__cupti__peer_cpp='#include "simgpu/nccl/group.h"\n',
          preload__simgpu__cupti__ours_cpp='#include "log/format.h"\n',
          preload__simgpu__engine__front_cpp='#include "simgpu/nccl/group.h"\n',
          preload__log__simulates_cpp='#include "simgpu/engine/stream.h"\n')
    assert list(broken_includes(tmp_path)) == [
        "preload/log/simulates.cpp: preload/log may not include preload/simgpu/engine/stream.h",
        "preload/simgpu/cupti/deep.cpp: preload/simgpu/cupti may not include preload/simgpu/engine/streams/state.h",
        "preload/simgpu/cupti/ours.cpp: preload/simgpu/cupti may not include preload/log/format.h",
        "preload/simgpu/cupti/peer.cpp: preload/simgpu/cupti may not include preload/simgpu/nccl/group.h",
        "preload/simgpu/engine/front.cpp: preload/simgpu/engine may not include preload/simgpu/nccl/group.h",
    ]


def test_a_vague_name_and_a_long_file_are_found(tmp_path):
    write(tmp_path, analyzer__read__string_utils_h="", analyzer__read__utility_h="",
          analyzer__read__long_cpp="\n" * (MOST_LINES + 1))
    assert list(vague_names(tmp_path)) == ["analyzer/read/string_utils.h: say what is in it instead"]
    assert list(long_files(tmp_path)) == [f"analyzer/read/long.cpp: {MOST_LINES + 1} lines"]
