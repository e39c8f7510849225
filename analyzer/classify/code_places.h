// The line that a stack stands for: where in the user's own code it is. That is the innermost frame outside
// the frameworks and the language's own library, whose lines say nothing about whose doing it is:
//
//   Tensor.item  (C++)                                     train.py:41 log_loss      <- this one
//   torch/utils/data/dataloader.py:701 __next__            train.py:77 <module>
//
// Where all frames are of that kind, it is the innermost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

// "file:line function" of each stack, by index; empty for kNoStack.
std::vector<std::string> code_places(const ProcessTrace& trace);

// Whether a Python file belongs to a framework, or to Python itself.
bool is_framework_file(std::string_view file);
// Whether a native module is a library of the system, of CUDA or of a framework.
bool is_framework_module(std::string_view path);

}  // namespace tauprof
