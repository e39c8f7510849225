"""The parameter audit: which parameters get a gradient before the first optimizer step, asked inside the program.

Nothing happens until the program itself imports torch (torch_import). Then gradient_watch listens to backward passes
and optimizer steps; module_names says whose the parameters are; ranks brings the ranks of a job together by files;
verdict decides, without torch, and report_text prints.
"""

import os


def start():
    folder = os.environ.get("TAUPROF_AUDIT_DIR")
    if folder and os.path.isdir(folder):
        from tauprof_audit import torch_import
        torch_import.when_imported(_watch)


def _watch(torch):
    from tauprof_audit.gradient_watch import GradientWatch
    GradientWatch(torch, os.environ["TAUPROF_AUDIT_DIR"]).begin()
