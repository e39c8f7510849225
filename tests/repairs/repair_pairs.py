"""Pairs of jobs with and without one defect, one or several for each repair that the report proposes.

Each job is the training program of tests/workloads or a PyTorch program of tests/pytorch/scenarios, recorded on simulated
devices. Hosts run in real time there, so kernels are stretched (`time_scale`) where the host plays no part.
"""

from __future__ import annotations

from dataclasses import dataclass

# Names that users would give their issues; each has a pair.
REPAIRS = ("straggler", "host sync every step", "input copies", "loader too slow", "launch-bound",
           "allocation in the steady state", "exposed communication", "slow link", "memory growth",
           "FP32 without TF32, misaligned shapes", "unfused optimizer", "recompilation and graph breaks",
           "slow steps", "change in the middle", "stalled host", "copies beside no kernel",
           "waiting for another stream", "late starts on the device")

STRETCHED = "time_scale=18"
TABLE_SHARED = "consistent only; not seen on a GPU"  # simulator and replay share a table of speeds


@dataclass(frozen=True)
class Pair:
    name: str
    repair: str  # of REPAIRS
    finding: str  # its id in the report
    defect: str  # options of the job with the defect …
    mended: str  # … and of the one without
    what: str  # the defect, in words
    script: str = ""  # of tests/pytorch/scenarios; empty: the training program
    ranks: int = 2
    steps: int = 8
    devices: str = STRETCHED  # options of the simulator, for both …
    defective_devices: str = ""  # … and more for the job with the defect
    cause: str = ""  # of a straggler
    rank: int | None = None  # that the finding names
    only_log_of: int | None = None  # the logs of all other ranks are missing
    says: tuple[str, ...] = ()  # in its evidence or advice
    unpriced: str = ""  # why the saving is null
    note: str = ""
    in_every_run: bool = False

    @property
    def tolerance(self):
        """Of the saving, as a share of the step."""
        return 0.05 if self.script else 0.03


NO_OVERLAP = "--one-bucket --loss-every 1"
RUNS_AHEAD = "--loss-every 0"
# Of mlp.py: the device lags behind the host.
BUSY = "--batch 1024 --width 4096 --layers 6 --copies pinned-async"
SMALL = "--batch 1024 --width 4096 --layers 3 --optimizer fused --workers 2 --prefetch-factor 4 --epoch 1000"
UNEVEN_LOADER = "--workers 2 --load-ms 20 --slow-every 8 --slow-ms 400 --epoch 1000 --item-every 1"
LARGE = "--batch 512 --width 12288 --layers 2 --copies pinned-async"
SLOW = "time_scale=20"


def straggler(cause, rank, defect, what, **how):
    """Of four ranks that exchange gradients after the backward pass."""
    given = {"mended": NO_OVERLAP, "ranks": 4, **how}
    return Pair(f"straggler, {cause}", "straggler", "straggler", f"{NO_OVERLAP} {defect}", what=what, cause=cause,
                rank=rank, **given)


PAIRS = (
    straggler("more_compute", 1, "--slow-rank 1:20", "rank 1 multiplies a fifth more", in_every_run=True),
    straggler("slow_compute", 2, "", "rank 2's kernels take 30 % longer", defective_devices="slow=2:1.3"),
    straggler("host_stall", 1, "--host-stall 1:90", "rank 1's host is stalled for 90 ms in each step"),
    straggler("data_wait", 1, "--prefetch 1 --data-stall 1:420", "rank 1 loads for 420 ms, a step takes 340"),
    straggler("host_sync", 1, "--layer-sync 1:12", "rank 1 waits for its device after each layer, and polls for 12 ms more"),
    straggler("host_launch", 1, "--host-work 1:90", "rank 1's host computes for 90 ms before it launches"),
    straggler("throttled", 3, "", "rank 3's clocks drop to three quarters", defective_devices="throttle=3:0:1000:1.33"),
    Pair("straggler beside overlapped communication", "straggler", "straggler", "--loss-every 1 --host-stall 1:90",
         "--loss-every 1", "rank 1 is stalled while the others' collectives wait beside their kernels", ranks=4,
         cause="host_stall", rank=1),
    Pair("host sync", "host sync every step", "host-sync", "--loss-every 1 --host-stall 0:15,1:15",
         "--loss-every 0 --host-stall 0:15,1:15", "the loss is read in each step; then the host does something else for 15 ms",
         steps=12, devices="time_scale=4", in_every_run=True),
    Pair("pageable copies on the computing stream", "input copies", "input-copies",
         f"{RUNS_AHEAD} --pageable --copy-stream compute", RUNS_AHEAD, "input is pageable, its copies are in line with kernels",
         says=("pageable memory", "stream that computes"), in_every_run=True),
    Pair("slow loader", "loader too slow", "data-wait", f"{RUNS_AHEAD} --loader-ms 200",
         f"{RUNS_AHEAD} --loader-ms 200 --loader-workers 4 --prefetch 8", "a batch takes 200 ms to load, a step 70",
         steps=16, devices="time_scale=4"),
    Pair("loading in the training thread", "loader too slow", "data-wait",
         f"{NO_OVERLAP} --loader-on-main-thread --loader-ms 60", f"{NO_OVERLAP} --loader-ms 60",
         "each batch is loaded when it is needed"),
    Pair("busy host", "launch-bound", "launch-bound", "--loss-every 1 --host-work 0:15,1:15", "--loss-every 1",
         "the host works for 15 ms between launches", steps=12, devices="time_scale=4"),
    Pair("cudaMalloc in each step", "allocation in the steady state", "allocation", "--loss-every 1 --scratch malloc",
         "--loss-every 1", "activations are allocated and freed each time", says=("cudaFree",)),
    Pair("one bucket", "exposed communication", "exposed-comm", f"{RUNS_AHEAD} --one-bucket", f"{RUNS_AHEAD} --bucket-mb 25",
         "gradients are exchanged at once after the backward pass"),
    Pair("one bucket, one log", "exposed communication", "exposed-comm-unsplit", f"{RUNS_AHEAD} --one-bucket",
         f"{RUNS_AHEAD} --bucket-mb 25", "the same, and the log of the other rank is missing", only_log_of=0,
         unpriced="waits and how long it moves data is not known"),
    Pair("slow link", "slow link", "straggler", f"{NO_OVERLAP} --tensor 2", f"{NO_OVERLAP} --tensor 2",
         "rank 3's link has a third of its bandwidth", ranks=4, defective_devices="slow_link=3:3", cause="slow_link", rank=3),
    Pair("float32 without TF32", "FP32 without TF32, misaligned shapes", "fp32-products", f"{BUSY} --optimizer fused",
         f"{BUSY} --optimizer fused --tf32", "float32 is not multiplied in TF32", script="mlp.py", devices=SLOW, steps=12,
         says=("set_float32_matmul_precision",), note=TABLE_SHARED),
    Pair("odd vocabulary", "FP32 without TF32, misaligned shapes", "misaligned-products",
         f"{BUSY} --optimizer fused --precision bf16 --outputs 50257",
         f"{BUSY} --optimizer fused --precision bf16 --outputs 50304", "the last layer has 50257 outputs, not 50304",
         script="mlp.py", devices=SLOW, steps=12, says=("multiples of 8",), note=TABLE_SHARED),
    Pair("unfused optimizer", "unfused optimizer", "unfused-optimizer", f"{LARGE} --optimizer plain", f"{LARGE} --optimizer fused",
         "AdamW works tensor by tensor", script="mlp.py", devices="", steps=12, says=("fused=True",), note=TABLE_SHARED),
    Pair("item in each step, PyTorch", "host sync every step", "host-sync",
         f"{BUSY} --optimizer fused --load-ms 60 --item-every 1", f"{BUSY} --optimizer fused --load-ms 60",
         "the loss is read in each step; then a batch is loaded for 60 ms", script="mlp.py", devices="time_scale=5", steps=20),
    Pair("no workers, PyTorch", "loader too slow", "data-wait", f"{BUSY} --optimizer fused --load-ms 100 --epoch 1000",
         f"{BUSY} --optimizer fused --load-ms 100 --epoch 1000 --workers 4", "the training thread loads each batch for 100 ms",
         script="mlp.py", devices="time_scale=5", steps=20, says=("num_workers=0 now", "num_workers=2 or more")),
    Pair("shallow prefetch, PyTorch", "loader too slow", "data-wait",
         f"{BUSY} --optimizer fused {UNEVEN_LOADER} --prefetch-factor 1",
         f"{BUSY} --optimizer fused {UNEVEN_LOADER} --prefetch-factor 4",
         "each eighth batch takes 420 ms to load, the others 20; two workers are one batch ahead each, a step takes 70",
         script="mlp.py", devices="time_scale=5", steps=36, says=("prefetch_factor=4 or more, 1 now",)),
    Pair("pageable memory, PyTorch", "input copies", "input-copies",
         f"{SMALL} --copies pageable-async", f"{SMALL} --copies pinned-async",
         "the loader does not pin its batches, so that each copy waits for the kernels before it", script="mlp.py",
         devices="time_scale=5", steps=20, says=("from pageable memory", "pin_memory=True")),
    Pair("changing sizes", "recompilation and graph breaks", "recompilation", "changing-sizes --layers 4", "model --layers 4",
         "sizes change every six steps, and torch.compile fits one", script="compiled_loops.py", devices="", steps=18,
         says=("dynamic=True",)),
    Pair("graph break", "recompilation and graph breaks", "graph-breaks", "leaving --layers 4", "model --layers 4",
         "the compiled model leaves its graph half way", script="compiled_loops.py", devices="", steps=12,
         says=("graph breaks", "TORCH_LOGS"), unpriced="what the compiler would make of the whole"),
    Pair("leak", "memory growth", "memory-growth", "--layers 2 --memory-growth-mb 200", "--layers 2",
         "200 MB stay allocated in each step", steps=14, devices="", says=("200.0 MB a step",),
         unpriced="until the device is full"),
    Pair("longer batches at times", "slow steps", "slow-steps", "--loss-every 1 --slow-rank 0:150:6:5,1:150:6:5",
         "--loss-every 1", "every sixth step multiplies two and a half times as much on all ranks", steps=24,
         devices="time_scale=4"),
    Pair("longer batches later", "change in the middle", "step-change", "--loss-every 1 --slow-rank 0:40:1:12,1:40:1:12",
         "--loss-every 1", "from the middle of the run on, all ranks multiply two fifths more", steps=24,
         devices="time_scale=4"),
    Pair("hosts are stalled", "stalled host", "host-stall", f"{NO_OVERLAP} --host-stall 0:60,1:60", NO_OVERLAP,
         "the host is stalled for 60 ms in each step on all ranks"),
    Pair("weights copied back", "copies beside no kernel", "exposed-copy", "--loss-every 1 --checkpoint-every 1",
         "--loss-every 1", "the weights are copied to the host after each step"),
    Pair("host function", "waiting for another stream", "dependency", "--loss-every 1 --host-function-ms 40",
         "--loss-every 1", "the update waits on its stream for a function of the host of 40 ms", in_every_run=True),
    Pair("shared device", "late starts on the device", "device-latency", RUNS_AHEAD, RUNS_AHEAD,
         "something else has the device for 20 ms in each 150", steps=16,
         defective_devices="stall_device=0:0:20:0.15,stall_device=1:0:20:0.15", unpriced="too much to price repairs"),
)


def pair(name):
    [found] = (candidate for candidate in PAIRS if candidate.name == name)
    return found
