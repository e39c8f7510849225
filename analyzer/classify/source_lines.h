// The source line that a stack stands for: the innermost frame in the user's own code. Frames of frameworks and of the
// language's own library are skipped, as they do not say who called them:
//
//   Tensor.item  (C++)                                     train.py:41 log_loss      <- this one
//   torch/utils/data/dataloader.py:701 __next__            train.py:77 <module>
//
// If all frames are of that kind, it is the innermost one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class SourceLines {
 public:
  // Refers to the trace.
  explicit SourceLines(const ProcessTrace& trace);

  // "file:line function" of a stack; empty for kNoStack and for stacks without frames.
  const std::string& of(uint32_t stack);
  // The lines of its own frames in the user's code, without its callers', the outermost first.
  std::vector<std::string> own(uint32_t stack);

 private:
  const std::string& text_of(uint32_t frame);
  bool is_of_program(uint32_t frame);

  const ProcessTrace& trace_;
  std::vector<uint32_t> frame_of_stack_;             // kNoIndex: none
  std::vector<signed char> is_framework_;            // by frame; -1: not known yet
  std::unordered_map<uint32_t, std::string> texts_;  // by frame; as many stacks as calls may share one
};

// Whether a Python file belongs to a framework, or to Python itself.
bool is_framework_file(std::string_view file);
// Whether a Python package belongs to a framework.
bool is_framework_package(std::string_view package);
// Whether a native module is a library of the system, of CUDA or of a framework.
bool is_framework_module(std::string_view path);

}  // namespace tauprof
