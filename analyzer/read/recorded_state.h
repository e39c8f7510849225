// The state records of a log: names, threads, devices, streams, communicators and facts about the process. They may
// come before or after the events that refer to them, and may repeat; the last one wins.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/process_trace.h"
#include "read/claims.h"
#include "read/record_block.h"

namespace tauprof {

class RecordedState {
 public:
  explicit RecordedState(ProcessTrace& trace);

  void take(const RecordBlock& block);

  // The trace's number for one of the log's. A name that was not read yet, or is lost, has a number too.
  NameId name(int64_t log_id);
  uint16_t thread(int64_t log_thread);
  std::string text(int64_t log_id);
  // Cut to kLongestLabel bytes: for texts that are kept with each of their uses.
  std::string label(int64_t log_id);
  Claims& claims() { return claims_; }

  // Once all blocks are read: names the trace and its devices.
  void finish();

 private:
  void unite_members();
  void take_strings(const RecordBlock& block);
  void add(const log::Attribute& row);
  void add(const log::Process& row);
  void add(const log::Device& row);
  void add(const log::Thread& row);
  void add(const log::Stream& row);
  void add(const log::Communicator& row);
  void add(const log::Cost& row);
  void add(const log::OpenCall& row);

  struct DeviceFacts {
    int64_t rank = -1;
    int64_t name = 0;
    int64_t memory_bytes = 0;
  };

  ProcessTrace& trace_;
  Claims claims_;
  std::vector<NameId> names_;  // by log id, while ids are nearly dense
  std::map<int64_t, NameId> far_names_;
  std::map<int64_t, uint16_t> threads_;
  std::map<int64_t, DeviceFacts> device_facts_;
  std::map<uint16_t, OpenCall> open_calls_;                     // by thread; without a function: none
  std::map<std::pair<int64_t, int64_t>, log::Stream> streams_;  // by device and number
  std::vector<std::pair<int64_t, int64_t>> attributes_;
  std::map<int64_t, std::pair<int64_t, int64_t>> communicator_texts_;  // name, members
};

}  // namespace tauprof
