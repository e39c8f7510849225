// Runs Python code that the program's own tracers and profilers do not see.
#pragma once

namespace tauprof::capture {

// While one exists, debuggers, profilers and coverage tools get no events from this thread, which holds the GIL. From
// Python 3.11 on; before, they do.
class Untraced {
 public:
  Untraced();
  ~Untraced();
  Untraced(const Untraced&) = delete;
  Untraced& operator=(const Untraced&) = delete;

 private:
  void* thread_;
};

}  // namespace tauprof::capture
