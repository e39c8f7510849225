// The C side of code that reports its own calls (preload/python/marks/reporting_code.py, Python 3.11).
//
// The code calls an entry, which notes the start and returns a guard, an object that lies at the bottom of the frame's
// stack. Whatever ends the frame takes the guard from there, and its last reference with it: that is the end.
#pragma once

#include "capture/framework/python_api.h"

namespace tauprof::capture {

// Adds to the object that torch_marks.py is given:
//   make_entry(callable, row, is_first_item)   the callable becomes the entry of the row; its argument, if any, is
//                                              the subject, or the tuple that starts with it
//   run_instead(code, size, read, at, run)     `code`, an object whose first `size` bytes are followed by instructions
//                                              and which has as many as `read`, runs the bytes `run` at byte `at`
// Both return True, or False if that cannot be had in this Python; nothing has changed then. The caller holds the GIL.
bool add_reporting_code(PyObject* recorder);

}  // namespace tauprof::capture
