#include "read/recorded_state.h"

#include <algorithm>

#include "model/demangled_name.h"
#include "read/record_rows.h"
#include "read/united_identities.h"

namespace tauprof {

RecordedState::RecordedState(ProcessTrace& trace) : trace_(trace) {
  trace_.threads.emplace_back();  // thread 0: not known
  threads_[0] = 0;
}

void RecordedState::take(const RecordBlock& block) {
  if (block.kind() == log::String::kKind) take_strings(block);
  for_rows_of<log::Attribute, log::Process, log::Device, log::Thread, log::Stream, log::Communicator, log::Cost,
              log::OpenCall>(block, [this](const auto& row) { add(row); });
}

NameId RecordedState::name(int64_t log_id) {
  if (log_id == 0) return kNoName;
  NameId* slot;
  constexpr int64_t kSpare = 1024;
  const auto dense =
      std::max(static_cast<int64_t>(names_.size()), 2 * static_cast<int64_t>(trace_.names.size()) + kSpare);
  if (log_id > 0 && log_id < dense) {
    if (static_cast<size_t>(log_id) >= names_.size()) {
      const size_t known = names_.size();
      names_.resize(std::max<size_t>(log_id + 1, 2 * known), kNoName);
      for (auto far = far_names_.lower_bound(static_cast<int64_t>(known)); far != far_names_.end();) {
        if (far->first >= static_cast<int64_t>(names_.size())) break;
        names_[far->first] = far->second;
        far = far_names_.erase(far);
      }
    }
    slot = &names_[log_id];
  } else {
    slot = &far_names_[log_id];
  }
  if (*slot == kNoName) *slot = trace_.names.add("(name lost)");
  return *slot;
}

uint16_t RecordedState::thread(int64_t log_thread) {
  const auto [found, is_new] = threads_.try_emplace(log_thread, static_cast<uint16_t>(trace_.threads.size()));
  if (is_new) {
    if (trace_.threads.size() > UINT16_MAX) return found->second = 0;
    trace_.threads.emplace_back();
  }
  return found->second;
}

void RecordedState::take_strings(const RecordBlock& block) {
  const Column id = block.column(&log::String::id);
  for (uint32_t row = 0; row < block.records(); ++row)
    trace_.names.set(name(id[row]), demangled_name(std::string(block.text(row))));
}

void RecordedState::add(const log::Attribute& row) { attributes_.emplace_back(row.name, row.value); }

void RecordedState::add(const log::Process& row) {
  trace_.rank = claims_.rank(row.rank);
  trace_.world_size = claims_.world_size(row.world_size);
}

void RecordedState::add(const log::Device& row) {
  device_facts_[row.device] = {claims_.rank(row.rank), row.name, claims_.memory(row.memory_bytes)};
}

void RecordedState::add(const log::Thread& row) {
  const uint16_t index = thread(row.thread);
  if (index != 0) trace_.threads[index] = {row.os_id, name(row.name), row.is_main != 0};
}

void RecordedState::add(const log::Stream& row) { streams_[{row.device, row.stream}] = row; }

void RecordedState::add(const log::Communicator& row) {
  Communicator& communicator = trace_.communicators[row.communicator];
  communicator.identity = static_cast<uint64_t>(row.identity);
  communicator.joined_identity = static_cast<uint64_t>(row.joined_identity);
  communicator.size = claims_.communicator_size(row.size);
  communicator.rank = claims_.rank(row.rank);
  communicator.device = static_cast<int32_t>(row.device);
  communicator.parent = row.parent;
  communicator.part = static_cast<uint64_t>(row.part);
  communicator_texts_[row.communicator] = {row.name, row.members};
}

void RecordedState::add(const log::Cost& row) {
  RecorderCost& cost = trace_.quality.cost;
  cost.is_known = true;
  cost.has_parts = row.has_parts != 0;
  cost.start_and_calls = row.application_ns;
  cost.events = row.events_ns;
  cost.cupti = row.cupti_ns;
  cost.stacks = row.stacks_ns;
  cost.end = row.end_ns;
  trace_.last_alive = std::max<Nanoseconds>(trace_.last_alive, claims_.time(row.time));
}

void RecordedState::add(const log::OpenCall& row) {
  const uint16_t index = thread(row.thread);
  open_calls_[index] = {claims_.time(row.start), claims_.time(row.time), name(row.function),
                        row.communicator,        row.sequence,           index};
}

std::string RecordedState::text(int64_t log_id) { return std::string(trace_.names[name(log_id)]); }

std::string RecordedState::label(int64_t log_id) {
  return std::string(trace_.names[name(log_id)].substr(0, kLongestLabel));
}

// Old members and one that joined may be devices of this process.
void RecordedState::unite_members() {
  const std::map<uint64_t, uint64_t> united = united_identities(communicator_origins(trace_));
  for (auto& [key, communicator] : trace_.communicators)
    if (const auto one = united.find(communicator.identity); one != united.end()) communicator.identity = one->second;
}

void RecordedState::finish() {
  for (const auto& [key, value] : attributes_) trace_.attributes[text(key)] = text(value);
  if (const auto source = trace_.attributes.find("device_times"); source != trace_.attributes.end())
    trace_.quality.cost.is_without_cupti = source->second == "CUDA events" || source->second.starts_with("not wanted");
  if (const auto run = trace_.attributes.find("run_id"); run != trace_.attributes.end()) trace_.run_id = run->second;
  for (auto& [key, texts] : communicator_texts_) {
    trace_.communicators[key].name = label(texts.first);
    trace_.communicators[key].members = text(texts.second);
  }
  unite_members();
  for (const auto& [thread, call] : open_calls_)
    if (call.function != kNoName) trace_.open_calls.push_back(call);
  for (DeviceTrace& dev : trace_.devices) {
    if (const auto facts = device_facts_.find(dev.device); facts != device_facts_.end()) {
      dev.rank = static_cast<int32_t>(facts->second.rank);
      dev.name = label(facts->second.name);
      dev.memory_bytes = facts->second.memory_bytes;
    }
    for (DeviceStream& s : dev.streams)
      if (const auto known = streams_.find({dev.device, s.number}); known != streams_.end()) {
        s.handle = known->second.handle;
        s.takes_turns = known->second.takes_turns != 0;
      }
  }
}

}  // namespace tauprof
