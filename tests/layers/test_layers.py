"""Who may include whom. The table below is the architecture; docs/architecture.md says why."""

import pathlib
import re
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE_FOLDERS = ("analyzer", "preload")

# The model is written in the log's vocabulary (operations, types, activities), so it comes with it.
MODEL = ("analyzer/model", "preload/log/format.h")

SIMULATED_DEVICES = ("preload/simgpu/engine/*.h",)

# What the files of a folder may include of ours, besides their own folder. Only what stands above a
# folder in the table can be in its row, so that nothing ever depends on what comes later.
MAY_INCLUDE = {
    "preload/log": (),
    "preload/step_search": (),
    "preload/capture": ("preload/log", "preload/step_search"),
    "preload/hooks": ("preload/log", "preload/step_search", "preload/capture"),
    "preload/python": (),
    # The simulator knows nothing of ours, and its fronts nothing of each other: NVIDIA's do not call each other's public
    # symbols either, and a profiler's hooks would see it.
    # What the engine offers lies in its folder, how it works in the folders below.
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
    "analyzer/read": (*MODEL, "preload/log/schema.def"),
    "analyzer/import": ("preload/log", "analyzer/model/status.h"),
    "analyzer/symbols": MODEL,
    "analyzer/classify": (*MODEL, "preload/log/update_kernels.def", "preload/step_search/update_role.h"),
    "analyzer/align": MODEL,
    "analyzer/steps": (*MODEL, "preload/step_search", "analyzer/classify"),
    "analyzer/phases": (*MODEL, "analyzer/classify", "analyzer/steps"),
    "analyzer/metrics": (*MODEL, "analyzer/classify", "analyzer/align", "analyzer/steps", "analyzer/phases"),
    "analyzer/findings": (*MODEL, "analyzer/metrics"),
    "analyzer/report": (*MODEL, "analyzer/metrics", "analyzer/findings"),
    "analyzer/pipeline": (*MODEL, "analyzer/read", "analyzer/symbols", "analyzer/classify", "analyzer/align", "analyzer/steps",
                          "analyzer/phases", "analyzer/metrics", "analyzer/findings", "analyzer/report"),
    "analyzer/cli": (*MODEL, "analyzer/read", "analyzer/import", "analyzer/report", "analyzer/pipeline"),
}

# Libraries that only some folders may use: words are for the edges, numbers for the stages.
LIBRARIES = {
    "fmt/": {"analyzer/import", "analyzer/findings", "analyzer/report", "analyzer/cli"},
    "elfutils/": {"analyzer/symbols"},
    "nlohmann/": {"analyzer/report"},
    "CLI/": {"analyzer/cli"},
    "simdjson": {"analyzer/import"},
    "zlib": {"analyzer/import"},
    "libdeflate": {"analyzer/import"},
    "zstd": {"preload/log", "analyzer/read"},
    "xxhash": {"preload/log", "analyzer/read", "analyzer/import"},
}

VAGUE_WORDS = {"util", "utils", "common", "manager", "helper", "helpers", "misc"}
MOST_LINES = 400
GENERATED = ".inc"  # made by the build, from NVIDIA's headers
SOURCES = {".h", ".cpp", ".def", ".c", ".cu", ".cuh", ".py"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


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


def test_no_layer_depends_on_a_later_one():
    for position, (folder, row) in enumerate(MAY_INCLUDE.items()):
        earlier = list(MAY_INCLUDE)[:position]
        for entry in row:
            assert any(lies_in(entry, known) for known in earlier), f"{folder} may include {entry}, which comes later"


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
          analyzer__metrics__good_cpp='#include "model/trace.h"\n// #include "read/reader.h"\n',
          analyzer__metrics__reads_cpp='#include "read/reader.h"\n',
          analyzer__metrics__writes_cpp="#  include <log/writer.h>\n",
          analyzer__metrics__climbs_cpp='#include "../read/reader.h"\n',
          analyzer__metrics__formats_cpp="#include <fmt/format.h>\n",
          analyzer__metrics__dreams_cpp='#include "model/nothing.h"\n')
    assert list(broken_includes(tmp_path)) == [
        "preload/probes/cuda.cpp: no rule for preload/probes; give it a row in MAY_INCLUDE",
        "analyzer/metrics/climbs.cpp: analyzer/metrics may not include analyzer/read/reader.h",
        'analyzer/metrics/dreams.cpp: "model/nothing.h" names no file of ours',
        "analyzer/metrics/formats.cpp: analyzer/metrics may not use <fmt/format.h>",
        "analyzer/metrics/reads.cpp: analyzer/metrics may not include analyzer/read/reader.h",
        "analyzer/metrics/writes.cpp: analyzer/metrics may not include preload/log/writer.h",
    ]


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
