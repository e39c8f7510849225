// The state records of a log: names, threads, devices, streams, communicators and facts about the
// process. They may stand before or after the events that speak of them, and repeat; the last one wins.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/process_trace.h"
#include "read/log_reader.h"

namespace tauprof {

class RecordedState {
 public:
  explicit RecordedState(ProcessTrace& trace);

  // Whether the block held state records.
  bool take(const RecordBlock& block);

  // The trace's number for one of the log. A name that has not been read yet, or is lost, gets its
  // number all the same.
  NameId name(int64_t log_id);
  uint16_t thread(int64_t log_thread);
  std::string text(int64_t log_id);

  // Once all blocks are read: fills what the trace and its devices are called.
  void finish();

 private:
  void take_strings(const RecordBlock& block);
  void take_attributes(const RecordBlock& block);
  void take_process(const RecordBlock& block);
  void take_devices(const RecordBlock& block);
  void take_threads(const RecordBlock& block);
  void take_streams(const RecordBlock& block);
  void take_communicators(const RecordBlock& block);
  void take_cost(const RecordBlock& block);
  void take_open_calls(const RecordBlock& block);

  struct DeviceFacts {
    int64_t rank = -1;
    int64_t name = 0;
  };

  ProcessTrace& trace_;
  std::vector<NameId> names_;  // by log id, while ids are small
  std::map<int64_t, NameId> far_names_;
  std::map<int64_t, uint16_t> threads_;
  std::map<int64_t, DeviceFacts> device_facts_;
  std::map<uint16_t, OpenCall> open_calls_;                        // by thread; no function: in none
  std::map<std::pair<int64_t, int64_t>, int64_t> stream_handles_;  // (device, stream) → handle
  std::vector<std::pair<int64_t, int64_t>> attributes_;
  std::map<int64_t, std::pair<int64_t, int64_t>> communicator_texts_;  // name, members
};

}  // namespace tauprof
