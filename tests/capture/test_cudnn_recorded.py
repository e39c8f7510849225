"""The products of calls of cuDNN's older interface are in the log."""

import pathlib
import sys

SCRIPT = pathlib.Path(__file__).resolve().parent / "cudnn_convolutions.py"


def test_convolutions_have_their_sizes(recorder):
    run = recorder.run([sys.executable, str(SCRIPT)])
    assert run.what_the_user_sees() == (0, "", "")
    rows = run.only_log().rows["gemm"]
    assert [row["form"] for row in rows] == ["convolution", "convolution_data", "convolution_filter"]
    for row in rows:
        assert (row["m"], row["n"], row["k"]) == (8 * 16 * 16, 128, 64 * 3 * 3)
        assert row["type_a"] == row["type_b"] == "float32"
