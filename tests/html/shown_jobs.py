"""The simulated jobs whose pages are looked at, as options of tauprof-generate.

They differ in what their reports have: a rank that is late in one step, sizes that a line fits, a
pipeline, a device that throttles.
"""

JOBS = {
    "stall": "--ranks 4 --steps 12 --stall 2:7=20ms",
    "sizes": "--ranks 4 --steps 6 --layers 3 --sweep-bytes 65536 1048576 4194304 16777216 67108864",
    "throttled": "--ranks 4 --steps 6 --throttle 1=1.4",
    "large": "--ranks 64 --steps 100 --layers 24",
    "long": "--ranks 16 --hosts 4 --steps 130 --layers 24 --stall 5:60=20ms",  # more spans than a page shows at once
    "many": "--ranks 140 --steps 4 --stall 135:2=20ms",  # more ranks than a page shows
    "pipeline": "--ranks 4 --steps 4 --pipeline 2 --micro-batches 3",
}
