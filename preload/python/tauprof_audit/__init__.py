"""The parameter audit: which parameters get a gradient before the first optimizer step, asked inside the program.

Nothing happens until the program itself imports torch (torch_import). Then gradient_watch watches backward passes and
optimizer steps, and first_step collects what they showed. module_names names the parameters, ranks brings the ranks of
a job together through files, verdict judges (without torch), and report_text prints.
"""

import os


def start():
    folder = os.environ.get("TAUPROF_AUDIT_DIR")
    if folder and os.path.isdir(folder):
        from tauprof_audit import torch_import
        torch_import.when_imported(_watch)


def _watch(torch):
    from tauprof_audit.gradient_watch import GradientWatch
    GradientWatch(torch, os.environ["TAUPROF_AUDIT_DIR"]).start()
