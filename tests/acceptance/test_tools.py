"""The checks that start tools of NVIDIA's, with programs that stand in for them."""

import pytest

# Holds CUPTI's subscription while the program runs, and has seen so many sets.
NSYS = """
for last; do :; done
if [ "$1" = stats ]; then
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
