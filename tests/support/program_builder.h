// The vocabulary of step programs: one verb per operation.
#pragma once

#include <vector>

#include "step_program.h"

namespace tauprof::generator {

class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::vector<HostOp>& program, bool has_phase_ranges = true)
      : program_(program), has_phase_ranges_(has_phase_ranges) {}

  void work(int64_t ns) { add(Action::kWork).ns = ns; }
  void sleep(int64_t ns);
  void pause(int64_t ns);
  void allocate(int64_t ns);
  void switch_thread(Thread thread);
  void set_device() { add(Action::kSetDevice); }

  void push_step();
  void pop_step();
  void push(std::string_view name, Phase phase);
  void pop();

  void kernel(std::string_view name, Stream stream, int64_t ns);
  void fused_kernel(int64_t ns);
  void gemm(LayerProduct product, int64_t ns);
  void graph(int64_t ns);
  void memset(int64_t bytes, int64_t ns);
  void orphan_memset(int64_t bytes, int64_t ns);
  void copy(log::CopyKind kind, Stream stream, int64_t bytes, int64_t ns);
  void blocking_copy(int64_t bytes, int64_t ns);

  // Later work on `stream` waits for the work that is on `before` now.
  void order(Stream before, Stream stream);
  void stream_sync(Stream stream) { add(Action::kStreamSync).stream = stream; }
  void device_sync() { add(Action::kDeviceSync); }

  void collective(log::Operation operation, CommunicatorRole role, Stream stream, log::DataType datatype, int64_t bytes,
                  int peer = -1);
  // Makes the collective added last a group of calls.
  void group(Grouping grouping, int calls = 1);

 private:
  HostOp& add(Action action);
  HostOp& add_copy(Action action, log::CopyKind kind, Stream stream, int64_t bytes, int64_t ns);
  std::vector<HostOp>& program_;
  const bool has_phase_ranges_;
  std::vector<Phase> phases_{Phase::kOther};
  int events_ = 0;
};

}  // namespace tauprof::generator
