"""The stand-ins for what the documents leave to the reader, and the commands that cannot run here, with the reason.

A command that fits no row is run as it stands, and must succeed.
"""

# The reader's program, after `--` or behind a preload: two ranks on simulated GPUs.
PROGRAM = '"$TAUPROF_TRAINING" --ranks 2 --steps 2 --small --layers 1 '

# The launcher that starts the rest on each rank or host.
LAUNCHER = r"^(?:srun|mpirun) .*?(?=tauprof |python )"

# (what a document says, what is run instead), all that fit, in this order
STAND_INS = [
    (LAUNCHER, ""),
    (r"(?<= -- )(?:torchrun|python|\./training|…)[^#]*", PROGRAM),
    (r"^LD_PRELOAD=/path/to/libtauprof.so torchrun [^#]*",
     f'LD_PRELOAD="$TAUPROF_PRELOAD" on_simulated_gpus {PROGRAM}'),
    (r"~/tauprof/bin/", ""),
    # The reader's recording is longer: what is in tauprof-logs beforehand stands for it.
    (r"^tauprof run (?!.*-o )", "tauprof run -o recorded "),
    (r"^(?=tauprof run (?!.*--null-gpu))", "on_simulated_gpus "),
    (r"^scripts/with-simgpu", "on_simulated_gpus"),
    # cuBLAS's names for its kernels on H100, and on A100.
    (r"kernel:nvjet", "kernel:ampere"),
    (r"(?<![\w.])/(?:shared|local|tmp)/", "./"),
    (r"\bLOGS\b", "logs"),
    (r"\bTIMELINES\b", "timelines"),
    # Other shells' ways to read a script.
    (r"^source <\((tauprof completion zsh)\)", r"\1"),
    (r"\| source\b", "> completion.fish"),
]

# Exit statuses that a command may end with: 5, if it found what it looks for; 1, for jq -e.
ANSWERS = {
    r"^tauprof diff .*--fail-above": 5,
    r"^tauprof health": 5,
    r"^jq -e ": 1,
}

# Not run, but each option must be in the help of its program, and each target and preset in the build.
LOOKED_UP = {
    r"^scripts/": "builds, installs, or measures for minutes",
    r"^cmake |^ctest ": "builds and tests",
    r"^tauprof run --audit-params": "needs PyTorch: tests/audit runs it",
    r"--engine ": "needs MPI or Dask: tests/python runs it where they are installed",
    r"^tauprof demo$": "trains for seconds: tests/wheel runs it",
}

# Nothing of ours in them, and they need what is not here.
NOT_OURS = {
    r"^apt-get |^pip |^python3 -m venv ": "installs packages: tests/wheel runs it",
    r"^nsys ": "needs Nsight Systems",
    r"^scp |^rsync |^bash tauprof-acceptance.run": "needs another machine",
    r'^python -c "from hta': "needs HTA: tests/export runs it where it is installed",
}
