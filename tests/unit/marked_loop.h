// A training loop as PyTorch marks it, one letter after the other. Each letter takes 10 ns: its event 6, starting 2
// after the letter's time.
//
//   f F  fetch; forward          b    backward
//   u v  update of two optimizers (numbers 1 and 2); U V: their construction
//   z    zero_grad               s    schedule        S  save
//   e    forward without gradients
//   c    input copy              r    read (a wait)   k  kernel
//   g    launch of a graph       ( )  a capture starts, ends
//   .    nothing
#pragma once

#include <string>
#include <vector>

#include "steps/host_steps.h"
#include "trace_builder.h"

namespace tauprof {

class MarkedLoop {
 public:
  static constexpr Nanoseconds kLetter = 10;

  explicit MarkedLoop(const std::string& letters = {}) { run(letters); }

  MarkedLoop& run(const std::string& letters) {
    for (const char letter : letters) {
      add(letter, now_ + 2, now_ + 8);
      now_ += kLetter;
    }
    return *this;
  }
  MarkedLoop& on(std::string_view thread) {
    process.switch_thread(thread);
    return *this;
  }
  MarkedLoop& at_letter(Nanoseconds letter) {
    now_ = letter * kLetter;
    return *this;
  }

  ProcessTrace& found() {
    ProcessTrace& trace = process.build();
    find_host_steps(trace);
    return trace;
  }

  // The loop's letters, cut by a bar before the letter at which a step starts and a bracket where the last one ends. A
  // step that starts where the letter before has ended starts with the letter.
  std::string steps(const std::string& letters) {
    const ProcessTrace& trace = found();
    std::string result;
    for (size_t i = 0; i < letters.size(); ++i) {
      const Nanoseconds begin = static_cast<Nanoseconds>(i) * kLetter;
      for (const HostStep& step : trace.steps)
        if (step.start > begin - 3 && step.start <= begin + 2) result += '|';
      if (!trace.steps.empty() && trace.steps.back().end > begin - 3 && trace.steps.back().end <= begin + 2)
        result += ']';
      result += letters[i];
    }
    return result;
  }

  TraceBuilder process;

 private:
  void add(char letter, Nanoseconds start, Nanoseconds end) {
    switch (letter) {
      case 'f':
        return process.says(MarkKind::kFetch, start, end);
      case 'F':
        return process.says(MarkKind::kForward, start, end);
      case 'b':
        return process.says(MarkKind::kBackward, start, end);
      case 'u':
        return process.says(MarkKind::kUpdate, start, end, 1);
      case 'v':
        return process.says(MarkKind::kUpdate, start, end, 2);
      case 'U':
        return process.says(MarkKind::kOptimizer, start, start, 1);
      case 'V':
        return process.says(MarkKind::kOptimizer, start, start, 2);
      case 'z':
        return process.says(MarkKind::kZeroGrad, start, end);
      case 's':
        return process.says(MarkKind::kSchedule, start, end);
      case 'S':
        return process.says(MarkKind::kSave, start, end);
      case 'e':
        return process.says_without_gradients(start, end);
      case 'c':
        process.call("cudaMemcpyAsync", start, end).is_input_copy = true;
        return;
      case 'r':
        process.call("cudaStreamSynchronize", start, end);
        return;
      case 'k':
        process.call("cudaLaunchKernel", start, end);
        return;
      case 'g':
        process.call("cudaGraphLaunch", start, end);
        return;
      case '(':
        process.call("cudaStreamBeginCapture", start, end);
        return;
      case ')':
        process.call("cudaStreamEndCapture", start, end);
        return;
      default:
        return;
    }
  }

  Nanoseconds now_ = 0;
};

inline std::string steps_of(const std::string& letters) { return MarkedLoop(letters).steps(letters); }

}  // namespace tauprof
