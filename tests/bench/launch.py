"""Runs a command and writes "exit-status wall CPU peak-KB" to a file, so that a large bench process is not measured.

A program's peak memory includes that of the process that starts it, so this one must be small: it imports almost
nothing and runs without site packages.
"""

import os
import sys
import time


def main():
    result, program, *arguments = sys.argv[1:]
    start = time.perf_counter()
    child = os.posix_spawnp(program, [program, *arguments], os.environ)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    with open(result, "w", encoding="ascii") as file:
        file.write(f"{os.waitstatus_to_exitcode(status)} {seconds} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}")


main()
