"""Programs that a compiler of this machine makes: nvcc's, with a shared and a static runtime, and Triton's kernels."""

from check import Check, Lacked
from pieces import PROGRAMS, ROOT

SAMPLE = ROOT / "tests" / "samples" / "saxpy.cu"


def look_at_nvcc(trial, runtime):
    nvcc = trial.need_tool("nvcc")
    trial.need_gpus(1)
    program = trial.folder / "saxpy"
    made = trial.runs.run([nvcc, "-cudart", runtime, SAMPLE, "-o", program], timeout=200, recorded=False)
    if made.status != 0:
        raise Lacked(f"an nvcc that compiles: {(made.errors or made.output).strip()[-300:]}")
    bare = trial.runs.run([program], recorded=False)
    if bare.status != 0:
        raise Lacked(f"a GPU that runs what this nvcc makes: {(bare.errors or bare.output).strip()[-300:]}")
    recorded = trial.runs.run([program])
    trial.expect_same_outside(bare, recorded)
    trial.expect_silence(recorded)
    log = trial.only_log(recorded)
    if log:
        trial.note(kernels=len(log.work("kernel")), calls=len(log.rows["call"]))
        trial.expect("the log has kernels", bool(log.work("kernel")))
        trial.expect(f"each span has its call ({log.without_call()} have none)", log.without_call() == 0)


def look_at_torch_compile(trial):
    trial.need_torch()
    trial.need_tool("gcc")
    if not trial.machine["triton"].get("version"):
        raise Lacked(f"Triton: {trial.machine['triton'].get('why')}")
    command = [trial.python, PROGRAMS / "compiled_training.py"]
    bare = trial.runs.run(command, timeout=240, recorded=False)
    if bare.status != 0:
        raise Lacked(f"a torch.compile that works here: {bare.errors.strip().splitlines()[-1:]}")
    recorded = trial.runs.run(command, timeout=240)
    trial.expect_same_outside(bare, recorded)
    trial.expect_silence(recorded)
    log = trial.only_log(recorded)
    if log:
        names = {row["name"] for row in log.work("kernel")}
        of_triton = sorted(str(name) for name in names if str(name).startswith("triton"))
        trial.note(kernels=len(log.work("kernel")), of_triton=of_triton[:5], without_call=log.without_call())
        trial.expect("Triton's kernels are in the log", bool(of_triton))
        # Whether a launch through the driver was made in a hooked call is known from the thread's next hooked call: the
        # last launch of the backward thread has no next one.
        trial.expect(f"each span but the last has its call ({log.without_call()} have none)", log.without_call() <= 1)


CHECKS = (
    Check("nvcc-shared", "What nvcc makes with the shared runtime is recorded.",
          lambda trial: look_at_nvcc(trial, "shared")),
    Check("nvcc-static", "What nvcc makes with the static runtime is recorded (injection, CUPTI's callbacks).",
          lambda trial: look_at_nvcc(trial, "static")),
    Check("torch-compile", "Triton's kernels of torch.compile are recorded, with the call that launched them.",
          look_at_torch_compile, 600),
)
