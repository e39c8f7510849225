#include "undisturbed/simulated_program.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tauprof {
namespace {

constexpr Nanoseconds kLatency = 4000;  // of a launch
constexpr Nanoseconds kGap = 800;       // between two kernels

// Operations as they are appended: the device's and the host's, in the order of both.
class Writer {
 public:
  void kernel(Interval time, uint32_t call, int32_t step) { kernels_.push_back({time, call, step}); }
  uint32_t host(Interval time, OperationKind kind, uint32_t name, int32_t step, size_t waits_for = SIZE_MAX) {
    hosts_.push_back({time, kind, name, step, waits_for});
    return static_cast<uint32_t>(hosts_.size() - 1);
  }
  size_t kernel_count() const { return kernels_.size(); }

  std::shared_ptr<ProcessOperations> finish(const std::vector<size_t>& first_kernels,
                                            const std::vector<Nanoseconds>& starts) const {
    auto process = std::make_shared<ProcessOperations>();
    process->names = {"launch", "wait", "kernel"};
    process->device_names = {"H200"};
    process->lags.resize(1);
    process->lags.front()[static_cast<size_t>(EdgeKind::kStream)] = kGap;
    process->lags.front()[static_cast<size_t>(EdgeKind::kLaunch)] = kLatency;
    process->steps.resize(1);
    const auto first_host = static_cast<uint32_t>(kernels_.size());
    for (uint32_t i = 0; i < kernels_.size(); ++i) {
      std::vector<OperationEdge> edges;
      if (i > 0) edges.push_back({i - 1, EdgeKind::kStream});
      edges.push_back({first_host + kernels_[i].call, EdgeKind::kLaunch});
      add(*process, kernels_[i].time, OperationKind::kCompute, 2, kernels_[i].step, edges);
    }
    for (uint32_t i = 0; i < hosts_.size(); ++i) {
      std::vector<OperationEdge> edges;
      const bool returns = hosts_[i].kind == OperationKind::kReturn;
      if (i > 0) edges.push_back({first_host + i - 1, returns ? EdgeKind::kAlone : EdgeKind::kThread});
      if (hosts_[i].waits_for != SIZE_MAX)
        edges.push_back({static_cast<uint32_t>(hosts_[i].waits_for), EdgeKind::kWaitFor});
      add(*process, hosts_[i].time, hosts_[i].kind, hosts_[i].name, hosts_[i].step, edges);
      process->operations.back().call_class = hosts_[i].name == 1 ? CallClass::kSync : CallClass::kKernel;
    }
    process->first_edge.push_back(static_cast<uint32_t>(process->edges.size()));
    process->places.hosts.assign(process->operations.size(), {});
    for (size_t step = 0; step + 1 < first_kernels.size(); ++step) {
      const bool is_recorded = first_kernels[step] < first_kernels[step + 1];
      if (is_recorded)
        process->steps[0].push_back({static_cast<int64_t>(step), static_cast<uint32_t>(first_kernels[step]),
                                     static_cast<uint32_t>(first_kernels[step + 1])});
      process->step_numbers.push_back(static_cast<int64_t>(step));
      process->places.steps.push_back({{starts[step], starts[step + 1]},
                                       is_recorded ? log::DeviceTimesState::kUnknown : log::DeviceTimesState::kOff});
    }
    return process;
  }

 private:
  struct Kernel {
    Interval time;
    uint32_t call;
    int32_t step;
  };
  struct Host {
    Interval time;
    OperationKind kind;
    uint32_t name;
    int32_t step;
    size_t waits_for;
  };

  static void add(ProcessOperations& process, Interval time, OperationKind kind, uint32_t name, int32_t step,
                  const std::vector<OperationEdge>& edges) {
    OperationLabel operation;
    operation.kind = kind;
    operation.name = name;
    operation.step = step;
    process.first_edge.push_back(static_cast<uint32_t>(process.edges.size()));
    process.edges.insert(process.edges.end(), edges.begin(), edges.end());
    process.operations.push_back(operation);
    process.times.push_back(time);
  }

  std::vector<Kernel> kernels_;
  std::vector<Host> hosts_;
};

}  // namespace

std::shared_ptr<ProcessOperations> SimulatedProgram::run(const Recorder& recorder) const {
  Writer writer;
  Nanoseconds host = 0, device = 0;
  std::vector<size_t> first_kernels;
  std::vector<Nanoseconds> starts, kernel_starts;
  for (int64_t step = 0; step <= kSteps; ++step) {
    first_kernels.push_back(writer.kernel_count());
    starts.push_back(host);
    const auto number = step < kSteps ? static_cast<int32_t>(step) : kNoStep;
    const bool is_recorded = step < recorder.ends;
    const double factor =
        is_recorded ? recorder.host_factor + recorder.changes * std::sin(static_cast<double>(step)) : 1;
    const double speed = factor * (1 + share_ * std::cos(2 * static_cast<double>(step)));
    const auto takes = [&](Nanoseconds time) { return static_cast<Nanoseconds>(speed * static_cast<double>(time)); };
    for (const Line& line : lines_) {
      const bool waits = line.kernel == 0;
      const Nanoseconds called = host + takes(line.before);
      const uint32_t before =
          is_recorded ? writer.host({host, called}, OperationKind::kBetween, waits ? 1 : 0, number) : 0;
      if (waits) {
        host = std::max(called + takes(line.call), device) + takes(line.back);
        if (is_recorded) writer.host({host, host}, OperationKind::kReturn, 1, number, writer.kernel_count() - 1);
        continue;
      }
      host = called + takes(line.call) + (is_recorded ? recorder.launch : 0);
      if (kernel_starts.size() >= queue_) host = std::max(host, kernel_starts[kernel_starts.size() - queue_]);
      if (is_recorded) writer.host({called, host}, OperationKind::kCall, 0, number);
      const Nanoseconds launched = called + takes(line.call) / 2 + kLatency;
      const Nanoseconds start =
          std::max(launched, kernel_starts.empty() ? 0 : device + kGap + (is_recorded ? recorder.pause : 0));
      device = start + line.kernel;
      kernel_starts.push_back(start);
      if (is_recorded) writer.kernel({start, device}, before, number);
    }
  }
  return writer.finish(first_kernels, starts);
}

void SimulatedRun::take(std::shared_ptr<ProcessOperations> operations, int64_t count) {
  ranks_.resize(1);
  ranks_.front().rank = 0;
  ranks_.front().operations = std::move(operations);
  StepSelection steps;
  for (int64_t step = 2; step < count; ++step) steps.numbers.insert(step);
  graph_.emplace(ranks_, std::vector<MatchedCollective>(), steps);
  ASSERT_EQ(graph_->reason(), "");
}

}  // namespace tauprof
