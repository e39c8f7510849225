"""Convolves by cuDNN's older interface, whose functions it finds as a program that is linked with them does: 8 images
of 64 channels with 128 filters of 3 × 3, to 16 × 16 pixels; forward, the gradient of the input, that of the weight."""

import ctypes

ONE = ctypes.byref(ctypes.c_float(1))
FLOAT, NCHW = 0, 0

cudnn = ctypes.CDLL(None)


def call(name, *arguments):
    assert getattr(cudnn, name)(*arguments) == 0, name


def made(name, *arguments):
    pointer = ctypes.c_void_p()
    call(name, ctypes.byref(pointer))
    return pointer


def numbers(*values):
    return (ctypes.c_int * len(values))(*values)


def tensor(*sizes):
    pointer = made("cudnnCreateTensorDescriptor")
    strides = [1]
    for size in sizes[:0:-1]:
        strides.insert(0, strides[0] * size)
    call("cudnnSetTensorNdDescriptor", pointer, FLOAT, len(sizes), numbers(*sizes), numbers(*strides))
    return pointer


def main():
    handle = made("cudnnCreate")
    x, y = tensor(8, 64, 32, 32), tensor(8, 128, 16, 16)
    w = made("cudnnCreateFilterDescriptor")
    call("cudnnSetFilterNdDescriptor", w, FLOAT, NCHW, 4, numbers(128, 64, 3, 3))
    none, size = ctypes.c_void_p(), ctypes.c_size_t(0)
    call("cudnnConvolutionForward", handle, ONE, x, none, w, none, none, 0, none, size, ONE, y, none)
    call("cudnnConvolutionBackwardData", handle, ONE, w, none, y, none, none, 0, none, size, ONE, x, none)
    call("cudnnConvolutionBackwardFilter", handle, ONE, x, none, y, none, none, 0, none, size, ONE, w, none)
    call("cudaDeviceSynchronize")


if __name__ == "__main__":
    main()
