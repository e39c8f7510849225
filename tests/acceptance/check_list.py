"""All checks, in the order in which they run: what starts at all first, what takes long last."""

import fnmatch

from checks import (compiled_code, costs, cuda_events, cupti_faults, disturbance, doors, driver_threads, hangs,
                    known_models, loaded_code, other_tools, prices, start, tools_under_us, training)

CHECKS = (*start.CHECKS, *doors.CHECKS, *cupti_faults.CHECKS, *cuda_events.CHECKS, *driver_threads.CHECKS,
          *loaded_code.CHECKS, *training.CHECKS, *hangs.CHECKS, *other_tools.CHECKS, *tools_under_us.CHECKS,
          *compiled_code.CHECKS, *known_models.CHECKS, *training.SCENARIO_CHECKS, *disturbance.CHECKS, *prices.CHECKS,
          *costs.CHECKS)


def selected(patterns):
    """The checks that match one of the patterns; all without patterns."""
    return [check for check in CHECKS
            if not patterns or any(fnmatch.fnmatchcase(check.name, pattern) for pattern in patterns)]


def unknown(patterns):
    return [pattern for pattern in patterns if not selected([pattern])]
