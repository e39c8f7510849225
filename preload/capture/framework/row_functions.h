// For each row of torch_marks.py a function of its own, so that the function knows its row: one_for_each_row<Call>[7]
// calls Call(7, …). Call is not inlined, so that each of them is one jump.
#pragma once

#include <utility>

#include "capture/framework/torch_marks.h"
#include "capture/framework/vectorcall.h"

namespace tauprof::capture {

using CallOfRow = PyObject* (*)(long row, PyObject* callable, PyObject* const* arguments, size_t count,
                                PyObject* names);

template <CallOfRow kCall, long kRow>
PyObject* call_of_row(PyObject* callable, PyObject* const* arguments, size_t count, PyObject* names) {
  return kCall(kRow, callable, arguments, count, names);
}

struct RowFunctions {
  CallFunction of[kMostRows];
};

template <CallOfRow kCall, long... kRows>
constexpr RowFunctions row_functions(std::integer_sequence<long, kRows...>) {
  return {{&call_of_row<kCall, kRows>...}};
}

template <CallOfRow kCall>
inline constexpr RowFunctions one_for_each_row = row_functions<kCall>(std::make_integer_sequence<long, kMostRows>());

}  // namespace tauprof::capture
