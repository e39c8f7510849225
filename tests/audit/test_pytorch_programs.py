"""tauprof run --audit-params on PyTorch programs, on CPU."""

import subprocess

import pytest

from audited_run import HOOK, PROGRAMS, clean_environment

ONE, SEVERAL = PROGRAMS / "one_process.py", PROGRAMS / "several_ranks.py"
SAFE, UNSAFE = "find_unused_parameters=False is safe", "find_unused_parameters=False is NOT safe"


class Audit:
    """Parses a report: the parameters of each section as {module: [names]}."""

    def __init__(self, errors):
        start = errors.index("tauprof: parameter audit of ")
        self.lines = errors[start:].splitlines()
        self.heading, self.sections, section, module = self.lines[0], {}, None, None
        for line in self.lines[1:]:
            title = line.strip().split("   ")[0]
            if line.startswith("      ") and section is not None:
                self.sections[section][module].append(title)
            elif line.startswith("    ") and section is not None:
                module = title.split(" (")[0]
                self.sections[section][module] = []
            elif line.startswith("  ") and "   " in line.strip():
                section = title
                self.sections[section] = {}
            elif not line.startswith("  "):
                break

    def __getitem__(self, section):
        return self.sections.get(section)


def one(tauprof_run, pytorch, case, *options):
    done = tauprof_run("--audit-params", *options, "--", pytorch, ONE, case)
    return done, Audit(done.stderr)


def test_a_plain_training_is_unchanged_and_fully_reported(tauprof_run, pytorch, tmp_path):
    done, audit = one(tauprof_run, pytorch, "plain", "--check", "--zero-grads")
    bare = subprocess.run([pytorch, ONE, "plain"], capture_output=True, text=True, check=True, cwd=tmp_path,
                          env=clean_environment({}))
    assert done.stdout == bare.stdout
    assert done.returncode == 6, done.stderr
    assert UNSAFE in done.stderr
    assert audit.heading == "tauprof: parameter audit of Net, after the first step of SGD"
    assert audit["UNUSED"] == {"Net.unused.0": ["weight", "bias"], "Net.unused.1": ["weight", "bias"]}
    assert audit["FROZEN"] == {"Net.frozen": ["weight", "bias"]}
    assert audit["ZERO GRADIENT"] == {"Net.silent": ["weight", "bias"]}
    assert audit["USED"] == {"Net.embed": ["weight"], "Net.layers.{0-2}": ["weight", "bias"],
                             "Net.head": ["weight", "bias"]}
    assert audit["IN NO OPTIMIZER"] == {"Net.layers.1": ["weight", "bias"]}
    assert "  not trained here: Linear, 12 parameters" in audit.lines
    assert "      weight   [4, 8]   = same.weight" in audit.lines
    assert "      weight   [8, 8]   x 3" in audit.lines


@pytest.mark.full
def test_a_safe_training_is_reported_as_safe(tauprof_run, pytorch):
    done, audit = one(tauprof_run, pytorch, "clean", "--check")
    assert done.returncode == 0, done.stderr
    assert SAFE in done.stderr
    assert audit["UNUSED"] == audit["FROZEN"] == {}
    assert done.stdout.count("the program's own hook") == 2
    assert done.stdout.splitlines()[-1] == "torch.autograd None"  # PyTorch has its own function again


@pytest.mark.full
def test_names_do_not_contain_wrappers(tauprof_run, pytorch):
    _, audit = one(tauprof_run, pytorch, "compiled")
    assert audit.heading.startswith("tauprof: parameter audit of Sequential in OptimizedModule, after")
    assert audit["USED"] == {"Sequential.0": ["weight", "bias"], "Sequential.2": ["weight", "bias"]}


@pytest.mark.full
def test_backward_passes_before_one_step_are_distinguished(tauprof_run, pytorch):
    done, audit = one(tauprof_run, pytorch, "accumulated", "--check")
    assert done.returncode == 6, done.stderr
    assert audit["ONLY IN SOME PASSES"] == {"ModuleDict.first": ["weight", "bias"]}
    assert "in 1 of 2 passes" in done.stderr
    assert audit["USED"] == {"ModuleDict.always": ["weight", "bias"]}


@pytest.mark.full
def test_each_of_several_optimizers_is_checked(tauprof_run, pytorch):
    done, audit = one(tauprof_run, pytorch, "adversarial")
    assert audit.heading.endswith("parameter audit of Sequential, Linear, after the first step of RMSprop, RMSprop")
    assert audit["UNUSED"] == {"Sequential.1": ["weight", "bias"]}
    assert audit["USED"] == {"Sequential.0": ["weight", "bias"], "Linear": ["weight", "bias"]}
    assert done.stderr.index("iteration 1") < done.stderr.index("parameter audit") < done.stderr.index("iteration 2")


@pytest.mark.full
def test_a_step_that_the_scaler_skips_does_not_count(tauprof_run, pytorch):
    done, audit = one(tauprof_run, pytorch, "scaled", "--check")
    assert done.returncode == 0, done.stderr
    assert audit["USED"] == {"Linear": ["weight", "bias"]}
    assert done.stderr.index("after a step") < done.stderr.index("parameter audit")


@pytest.mark.full
def test_a_step_that_clears_gradients_hides_nothing(tauprof_run, pytorch):
    _, audit = one(tauprof_run, pytorch, "closure")
    assert audit["USED"] == {"ModuleList.0": ["weight", "bias"]}
    assert audit["UNUSED"] == {"ModuleList.1": ["weight", "bias"]}


def test_steps_inside_the_backward_pass_are_watched(tauprof_run, pytorch):
    done, audit = one(tauprof_run, pytorch, "in_backward")
    assert done.returncode == 0, done.stderr
    assert audit["USED"] == {"ModuleList.0": ["weight", "bias"]}
    assert audit["UNUSED"] == {"ModuleList.1": ["weight", "bias"]}
    assert "  SGD, SGD had not stepped" in done.stderr


@pytest.mark.full
def test_the_audit_works_without_the_hooks_of_newer_versions(pytorch, tmp_path):
    done = subprocess.run([pytorch, ONE, "old", HOOK], capture_output=True, text=True, check=True, cwd=tmp_path,
                          env=clean_environment({"TAUPROF_AUDIT_DIR": str(tmp_path)}))
    audit = Audit(done.stderr)
    assert audit["UNUSED"] == {"Net.unused.0": ["weight", "bias"], "Net.unused.1": ["weight", "bias"]}
    assert audit["USED"]["Net.layers.{0-2}"] == ["weight", "bias"]
    assert list(tmp_path.glob("result-unsafe-*"))


@pytest.mark.full
def test_a_program_without_a_step_is_reported(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--check", "--", pytorch, ONE, "no_step")
    assert done.returncode == 3, done.stderr
    assert done.stderr == "tauprof: no parameter audit: PyTorch was imported, but no optimizer stepped\n"


@pytest.mark.full
def test_the_programs_own_exit_status_takes_precedence(tauprof_run, pytorch):
    done, audit = one(tauprof_run, pytorch, "crashing", "--check")
    assert done.returncode == 7, done.stderr
    assert audit["UNUSED"] == {"ModuleList.1": ["weight", "bias"]}


def torchrun(pytorch, ranks):
    return [pytorch, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(ranks), SEVERAL]


def test_one_report_covers_all_ranks(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--check", "--", *torchrun(pytorch, 3), "--find")
    audit = Audit(done.stderr)
    assert done.returncode == 6, done.stderr
    assert done.stderr.count("parameter audit of") == 1
    assert audit.heading.endswith("of Net in DistributedDataParallel, 3 of 3 ranks, after the first step of AdamW")
    assert audit["UNUSED"] == {"Net.never": ["weight", "bias"]}
    assert audit["ONLY ON SOME RANKS"] == {"Net.first": ["weight", "bias"]}
    assert "used on rank 0, not on 1-2" in done.stderr
    assert audit["USED"] == {"Net.both": ["weight", "bias"]}


@pytest.mark.full
def test_the_report_comes_before_ddp_refuses(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--", *torchrun(pytorch, 2))
    assert done.returncode != 0, done.stderr
    assert done.stderr.index("parameter audit of") < done.stderr.index("Expected to have finished reduction")
    assert Audit(done.stderr)["UNUSED"] == {"Net.never": ["weight", "bias"]}


@pytest.mark.full
def test_an_unneeded_find_unused_parameters_is_reported(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--check", "--", pytorch, SEVERAL, "--spawn", "--find", "--all")
    assert done.returncode == 0, done.stderr
    assert f"{SAFE}: every parameter that requires a gradient got one. It is True now" in done.stderr
    assert Audit(done.stderr).heading.count("2 of 2 ranks") == 1


def test_sharded_parameters_are_judged_as_a_whole(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--", *torchrun(pytorch, 2), "--shard")
    audit = Audit(done.stderr)
    assert audit.heading.startswith("tauprof: parameter audit of Net in FSDP, 2 of 2 ranks, after")
    assert audit["UNUSED"] == {"Net.never": ["weight", "bias"]}
    assert audit["USED"] == {"Net.both": ["weight", "bias"], "Net.first": ["weight", "bias"]}


@pytest.mark.full
def test_zeros_in_a_flat_parameter_may_be_unused(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--check", "--", *torchrun(pytorch, 2), "--flat")
    audit = Audit(done.stderr)
    assert done.returncode == 6, done.stderr
    assert "find_unused_parameters=False may NOT be safe" in done.stderr
    assert "as those of ZERO GRADIENT have" in done.stderr
    assert audit["ZERO GRADIENT"] == {"Net.never": ["weight", "bias"]}
    assert audit["USED"] == {"Net.both": ["weight", "bias"], "Net.first": ["weight", "bias"]}


def test_nothing_is_said_about_hidden_parameters(tauprof_run, pytorch):
    done = tauprof_run("--audit-params", "--check", "--", *torchrun(pytorch, 2), "--flat", "--all", "--hide")
    assert done.returncode == 6, done.stderr
    assert "use_orig_params=True tells them apart" in done.stderr
    assert Audit(done.stderr)["USED"] == {"Net": ["_flat_param"]}
