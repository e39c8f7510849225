// The members of a trace's top-level object other than its events. They may come in any order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tauprof::kineto {

struct DeviceProperties {
  std::string name;
  int64_t sm_count = 0;
  int64_t memory_bytes = 0;
  int64_t compute_major = 0;
  int64_t compute_minor = 0;
};

struct TraceMetadata {
  int64_t rank = -1;
  int64_t world_size = 0;
  std::string backend;
  std::string nccl_version;
  std::string trace_name;
  int64_t base_time_ns = 0;                            // added to all times to count from 1970; 0: not given
  std::map<int64_t, DeviceProperties> devices;         // by number
  std::map<std::string, std::vector<int64_t>> groups;  // ranks of process groups, by name

  // Reads one member. Ignores those that it does not know or cannot read.
  void read(std::string_view key, std::string_view value);
};

}  // namespace tauprof::kineto
