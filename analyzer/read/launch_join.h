// Joins device spans to host calls, by correlation id. Work launched inside a library call (NCCL, cuBLAS) is joined to
// that call by a link record, or because the launch lies inside the library call on the same thread.
//
// A span launched by ncclGroupEnd belongs to a collective of that group, on the same stream where streams are known. A
// span of a graph belongs to a collective that the launch of the graph repeated.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "model/process_trace.h"
#include "read/correlation_index.h"

namespace tauprof {

// Identifies one kernel, as all kernels of a graph have the same correlation id.
inline uint64_t kernel_key(uint64_t correlation, Nanoseconds start) {
  return (correlation * 0x9E3779B97F4A7C15u ^ static_cast<uint64_t>(start)) | 1;
}

// Sorts the calls, finds which call lies inside which, and remembers correlations. Refers to the trace.
class LaunchJoin {
 public:
  using Links = std::vector<std::pair<uint64_t, uint64_t>>;
  using Collectives = std::vector<std::pair<uint64_t, uint32_t>>;

  // `links`: (device correlation, correlation of the owning library call).
  // `kernel_collectives`: (kernel_key, collective according to the kernel's own arguments).
  // Fills trace.call_order if `keeps_order`.
  LaunchJoin(ProcessTrace& trace, const Links& links, Collectives kernel_collectives, bool keeps_order);

  // `correlations[i]` belongs to device.spans[i]. Fills the spans' calls and collectives.
  void join(DeviceTrace& device, const std::vector<uint64_t>& correlations) const;

 private:
  void find_outer_calls();
  void index_groups();
  void index_graphs();
  // The calls of a group that have kernels on one stream.
  struct GroupOnStream {
    std::vector<uint32_t> firsts;  // each communicator's first call on the stream
    uint32_t first_on_device = kNoIndex;
  };
  // State of one device while its spans are joined.
  struct JoinState {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> kernels;         // so far, by group end and stream
    std::map<std::pair<int64_t, uint32_t>, GroupOnStream> on_streams;  // by group and stream
  };
  GroupOnStream group_on_stream(int64_t group, const DeviceTrace& device, uint32_t stream) const;
  uint32_t collective_of(const DeviceSpan& span, uint64_t correlation, const DeviceTrace& device,
                         JoinState& state) const;
  uint32_t collective_in_group(uint32_t group_end, const DeviceSpan& span, const DeviceTrace& device,
                               JoinState& state) const;
  uint32_t collective_in_graph(uint32_t launch, const DeviceSpan& span, JoinState& state) const;

  ProcessTrace& trace_;
  CorrelationIndex calls_;                                                 // correlation → call
  CorrelationIndex owners_;                                                // device correlation → owning library call
  CorrelationIndex kernel_collectives_;                                    // kernel correlation → collective
  std::unordered_map<int64_t, std::vector<uint32_t>> group_collectives_;   // by group
  std::unordered_map<uint32_t, int64_t> group_of_end_;                     // by the index of its ncclGroupEnd
  std::unordered_map<uint32_t, std::vector<uint32_t>> graph_collectives_;  // by the index of the graph's launch
};

// Sorts calls by thread, then start, then longest first; sets trace.first_call, and trace.call_order if `keeps_order`.
void sort_calls(ProcessTrace& trace, bool keeps_order = false);
// Sorts spans by start. Cheap if they are nearly sorted. Sets device.span_order if `keeps_order`.
void sort_spans(DeviceTrace& device, bool keeps_order = false);

}  // namespace tauprof
