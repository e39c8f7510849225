"""The checks that start tools of NVIDIA's, with programs that stand in for them."""

import itertools

import pytest

from tiers import two_tiers

# Holds CUPTI's subscription while the program runs, and has seen so many sets.
NSYS = """
for last; do :; done
if [ "$1" = stats ]; then
  [ -e "$last" ] || exit 1
  printf 'Processing ...\\nTotal (MB),Count,Operation\\n8.192,%s,[CUDA memset]\\n' "$(cat "${last%/*}/seen")"
  exit
fi
while case "$1" in profile | --*) true ;; *) false ;; esac; do shift; done
echo 2000 > seen
touch seen.nsys-rep
SIMGPU_CUPTI_FAULTS=subscribe=39 exec "$@"
"""
NVIDIA_SMI = """
if [ "$1" = -L ]; then
  echo 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-07f85d9d-60a6-4b87-8b34-dfe983bffdab)'
  echo '  MIG 1g.10gb     Device  0: (UUID: MIG-07f85d9d-60a6-4b87-8b34-dfe983bffdab)'
else
  echo 'NVIDIA H100 80GB HBM3, 575.57.08, 81559 MiB'
fi
"""

# Each runs the program that stands behind its options and says what it saw, as the tool of that name does.
SKIP_OPTIONS = """
while case "$1" in
  -ex | --metrics) shift; true ;;
  --*) true ;;
  *) false ;;
esac; do shift; done
"""
TOOLS_UNDER_US = {
    "ncu": SKIP_OPTIONS + """
echo "==PROF== Connected to process $$ ($1)"
"$@" || exit
echo "==PROF== Disconnected from process $$"
echo '"ID","Process ID","Process Name","Kernel Name","Metric Name","Metric Value"'
for each in 1 2 3 4 5; do echo "\\"$each\\",\\"$$\\",\\"launches\\",\\"count_up\\",\\"gpu__time_duration.sum\\",\\"2,1$$\\""; done
""",
    "compute-sanitizer": """
echo "========= COMPUTE-SANITIZER"
"$@" || exit
echo "========= ERROR SUMMARY: 0 errors"
""",
    "cuda-gdb": SKIP_OPTIONS + """
echo "[New Thread 0x7f (LWP $$)]"
"$@"
echo "[Inferior 1 (process $$) exited normally]"
""",
    "nsys": NSYS.replace("echo 2000 > seen", "echo 5 > seen"),
}


@pytest.fixture
def with_tools(machine):
    machine.add_tool("nsys", NSYS)
    machine.add_tool("nvidia-smi", NVIDIA_SMI)
    return machine


def test_nsight_gets_what_it_gets_without_us(bundle, with_tools):
    done = with_tools.run(bundle, "nsys")
    assert done.returncode == 0, done.output
    evidence = with_tools.outcomes()["nsys"]["evidence"]
    assert evidence["seen_by_nsys"] == {"bare": {"[CUDA memset]": 2000}, "recorded": {"[CUDA memset]": 2000}}
    assert (evidence["device_times"], evidence["sets"]) == ("CUDA events", 2000)
    assert with_tools.told()["machine"]["gpu_names"] == ["NVIDIA H100 80GB HBM3, 575.57.08, 81559 MiB"]


@pytest.mark.parametrize("faults, outcome, why", [
    ("version=130400", "passed", ""),
    ("version=130400,one_subscriber", "lacked", "a driver"),
    ("version=130301", "lacked", "CUPTI of CUDA 13.4"),
    ("version=130400,enable=999", "failed", "the subscriber sees its sets")])
def test_a_subscriber_that_allows_others_has_company(bundle, machine, faults, outcome, why):
    machine.run(bundle, "subscriber", SIMGPU_CUPTI_FAULTS=faults)
    told = machine.outcomes()["subscriber"]
    assert told["outcome"] == outcome and why in "".join(told["why"]), told


@pytest.mark.parametrize("tool, seen", [("ncu", {"count_up": 5}), ("compute-sanitizer", "0 errors"),
                                        ("cuda-gdb", "exited normally"), ("nsys", {"[CUDA memset]": 5})])
def test_tools_under_us_do_what_they_do_without(bundle, machine, tool, seen):
    machine.add_tool(tool, TOOLS_UNDER_US[tool])
    done = machine.run(bundle, f"{tool}-preloaded")
    told = machine.outcomes()[f"{tool}-preloaded"]
    assert done.returncode == 0 and told["outcome"] == "passed", told
    assert told["evidence"]["seen"] == {"bare": seen, "preloaded": seen}


HARMS = {"exit 1": "the exit status is 0 (it is 1)",
         "echo confused": "the same output under us (lacking: [], new: ['confused'])",
         "echo confused >&2": "the same errors under us (lacking: [], new: ['confused'])"}


@pytest.mark.parametrize("tool, harm", two_tiers(itertools.product(TOOLS_UNDER_US, HARMS), lambda case: case[0] == "ncu"))
def test_a_tool_that_the_preload_harms_is_a_failure(bundle, machine, tool, harm):
    harmed = f'case "$1$LD_PRELOAD" in stats*) ;; *libtauprof*) {harm} ;; esac\n'
    machine.add_tool(tool, harmed + TOOLS_UNDER_US[tool])
    assert machine.run(bundle, f"{tool}-preloaded").returncode == 1
    assert HARMS[harm] in machine.outcomes()[f"{tool}-preloaded"]["why"]


@pytest.mark.parametrize("tool", two_tiers(TOOLS_UNDER_US, lambda tool: tool == "ncu"))
def test_a_tool_that_does_not_work_without_us_is_lacking(bundle, machine, tool):
    machine.add_tool(tool, "echo ERR_NVGPUCTRPERM >&2; exit 1")
    assert machine.run(bundle, f"{tool}-preloaded").returncode == 0
    assert "ERR_NVGPUCTRPERM" in machine.outcomes()[f"{tool}-preloaded"]["why"][0]


def test_sets_that_nsight_loses_are_a_failure(bundle, with_tools):
    with_tools.add_tool("nsys", NSYS.replace("echo 2000 > seen", 'echo ${LIBRARY_OF_TAUPROF:+19}99 > seen'))
    assert with_tools.run(bundle, "nsys").returncode == 1
    assert "Nsight sees the same with us" in with_tools.outcomes()["nsys"]["why"]


def test_an_nsight_that_does_not_work_is_lacking(bundle, with_tools):
    with_tools.add_tool("nsys", "echo no permission >&2; exit 1")
    assert with_tools.run(bundle, "nsys").returncode == 0
    assert "no permission" in with_tools.outcomes()["nsys"]["why"][0]


def test_the_uuid_of_the_gpu_is_not_that_of_an_instance(bundle, with_tools):
    assert with_tools.run(bundle, "mig").returncode == 1
    assert with_tools.outcomes()["mig"]["why"] == ["the UUID is an instance's"]
