"""Makes copies where process_vm_readv is forbidden, as in old containers."""

import ctypes
import struct

BYTES = 32 << 20
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
FORBIDDEN, REFUSE, ALLOW = 310, 0x00050001, 0x7FFF0000  # process_vm_readv on x86-64; with EPERM

steps = [(0x20, 0, 0, 0), (0x15, 0, 1, FORBIDDEN), (0x06, 0, 0, REFUSE), (0x06, 0, 0, ALLOW)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
libc = ctypes.CDLL(None)
assert libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
assert libc.prctl(SECCOMP, FILTER, program) == 0

host = ctypes.create_string_buffer(BYTES)
device = ctypes.c_void_p()
libc.cudaMalloc(ctypes.byref(device), ctypes.c_size_t(BYTES))
for _ in range(3):
    assert libc.cudaMemcpy(host, device, ctypes.c_size_t(BYTES), 2) == 0
print("whole")
