// The leading fields of CUPTI's activity records. They have kept their offsets from CUDA 11 to 13, because newer
// versions append. So one set of structs reads all versions, as long as cuptiActivityGetNextRecord() alone steps from
// one record to the next. A test compares the offsets with those of the installed headers.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture::cupti_records {

enum Kind : uint32_t {
  kMemcpy = 1,
  kMemset = 2,
  kDriver = 4,
  kRuntime = 5,
  kContext = 9,
  kConcurrentKernel = 10,
  kPeerMemcpy = 22,
  kSynchronization = 38,
  kGraphTrace = 51,
};

// The stream id of records that have no stream.
inline constexpr uint32_t kNoStream = 0xFFFFFFFF;

// CUpti_ActivityKernel5 and later; graph_id from Kernel7.
struct Kernel {
  uint32_t kind;
  uint8_t cache_configuration;
  uint8_t shared_memory_configuration;
  uint16_t registers;
  uint32_t partitioned_cache[2];
  uint64_t start;
  uint64_t end;
  uint64_t completed;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  int32_t grid[3];
  int32_t block[3];
  int32_t static_shared_memory;
  int32_t dynamic_shared_memory;
  uint32_t local_memory_per_thread;
  uint32_t local_memory;
  uint32_t correlation;
  int64_t grid_id;
  const char* name;
  void* reserved;
  uint64_t queued;
  uint64_t submitted;
  uint8_t launch[4];
  uint32_t shared_memory_executed;
  uint64_t graph_node;
  uint32_t shared_memory_limit;
  uint32_t graph;
};

// CUpti_ActivityMemcpy4 and later.
struct Memcpy {
  uint32_t kind;
  uint8_t copy_kind;
  uint8_t source_kind;
  uint8_t destination_kind;
  uint8_t flags;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t correlation;
  uint32_t runtime_correlation;
  uint32_t padding;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
};

// CUpti_ActivityMemcpyPtoP3 and later.
struct PeerMemcpy {
  uint32_t kind;
  uint8_t copy_kind;
  uint8_t source_kind;
  uint8_t destination_kind;
  uint8_t flags;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t source_device;
  uint32_t source_context;
  uint32_t destination_device;
  uint32_t destination_context;
  uint32_t correlation;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
};

// CUpti_ActivityMemset3 and later.
struct Memset {
  uint32_t kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t correlation;
  uint16_t flags;
  uint16_t memory_kind;
  uint32_t padding;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
};

// CUpti_ActivitySynchronization and later. The times are those of the host call.
struct Synchronization {
  uint32_t kind;
  uint32_t type;
  uint64_t start;
  uint64_t end;
  uint32_t correlation;
  uint32_t context;
  uint32_t stream;
  uint32_t event;
};

// CUpti_ActivityContext and later.
struct Context {
  uint32_t kind;
  uint32_t context;
  uint32_t device;
};

// CUpti_ActivityGraphTrace and later.
struct GraphTrace {
  uint32_t kind;
  uint32_t correlation;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t graph;
  uint32_t context;
  uint32_t stream;
};

// CUpti_ActivityAPI.
struct ApiCall {
  uint32_t kind;
  uint32_t callback_id;
  uint64_t start;
  uint64_t end;
  uint32_t process;
  uint32_t thread;
  uint32_t correlation;
  uint32_t result;
};

}  // namespace tauprof::capture::cupti_records
