#include "read/recorded_state.h"

#include <algorithm>

#include "read/demangled_name.h"

namespace tauprof {

using log::RecordKind;

RecordedState::RecordedState(ProcessTrace& trace) : trace_(trace) {
  trace_.threads.emplace_back();  // thread 0: not known
  threads_[0] = 0;
}

bool RecordedState::take(const RecordBlock& block) {
  switch (block.kind()) {
    case RecordKind::kString:
      take_strings(block);
      return true;
    case RecordKind::kAttribute:
      take_attributes(block);
      return true;
    case RecordKind::kProcess:
      take_process(block);
      return true;
    case RecordKind::kDevice:
      take_devices(block);
      return true;
    case RecordKind::kThread:
      take_threads(block);
      return true;
    case RecordKind::kStream:
      take_streams(block);
      return true;
    case RecordKind::kCommunicator:
      take_communicators(block);
      return true;
    case RecordKind::kCost:
      take_cost(block);
      return true;
    case RecordKind::kOpenCall:
      take_open_calls(block);
      return true;
    default:
      return false;
  }
}

NameId RecordedState::name(int64_t log_id) {
  if (log_id == 0) return kNoName;
  NameId* slot;
  if (log_id > 0 && log_id < (1 << 22)) {
    if (static_cast<size_t>(log_id) >= names_.size()) names_.resize(log_id + 1, kNoName);
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

void RecordedState::take_attributes(const RecordBlock& block) {
  const Column key = block.column(&log::Attribute::name), value = block.column(&log::Attribute::value);
  for (uint32_t row = 0; row < block.records(); ++row) attributes_.emplace_back(key[row], value[row]);
}

void RecordedState::take_process(const RecordBlock& block) {
  if (block.records() == 0) return;
  const uint32_t last = block.records() - 1;
  trace_.rank = static_cast<int32_t>(block.column(&log::Process::rank)[last]);
  trace_.world_size = static_cast<int32_t>(block.column(&log::Process::world_size)[last]);
}

void RecordedState::take_devices(const RecordBlock& block) {
  const Column number = block.column(&log::Device::device), rank = block.column(&log::Device::rank),
               text = block.column(&log::Device::name);
  for (uint32_t row = 0; row < block.records(); ++row) device_facts_[number[row]] = {rank[row], text[row]};
}

void RecordedState::take_threads(const RecordBlock& block) {
  const Column number = block.column(&log::Thread::thread), os_id = block.column(&log::Thread::os_id),
               text = block.column(&log::Thread::name), is_main = block.column(&log::Thread::is_main);
  for (uint32_t row = 0; row < block.records(); ++row) {
    const uint16_t index = thread(number[row]);
    if (index != 0) trace_.threads[index] = {os_id[row], name(text[row]), is_main[row] != 0};
  }
}

void RecordedState::take_streams(const RecordBlock& block) {
  const Column number = block.column(&log::Stream::stream), dev = block.column(&log::Stream::device),
               handle = block.column(&log::Stream::handle);
  for (uint32_t row = 0; row < block.records(); ++row) stream_handles_[{dev[row], number[row]}] = handle[row];
}

void RecordedState::take_communicators(const RecordBlock& block) {
  const Column key = block.column(&log::Communicator::communicator),
               identity = block.column(&log::Communicator::identity), size = block.column(&log::Communicator::size),
               rank = block.column(&log::Communicator::rank), dev = block.column(&log::Communicator::device),
               text = block.column(&log::Communicator::name), members = block.column(&log::Communicator::members);
  for (uint32_t row = 0; row < block.records(); ++row) {
    Communicator& communicator = trace_.communicators[key[row]];
    communicator.identity = static_cast<uint64_t>(identity[row]);
    communicator.size = static_cast<int32_t>(size[row]);
    communicator.rank = static_cast<int32_t>(rank[row]);
    communicator.device = static_cast<int32_t>(dev[row]);
    communicator_texts_[key[row]] = {text[row], members[row]};
  }
}

void RecordedState::take_cost(const RecordBlock& block) {
  if (block.records() == 0) return;
  trace_.quality.profiler_ns = block.column(&log::Cost::application_ns)[block.records() - 1];
  trace_.last_alive = std::max<Nanoseconds>(trace_.last_alive, block.column(&log::Cost::time)[block.records() - 1]);
}

void RecordedState::take_open_calls(const RecordBlock& block) {
  using R = log::OpenCall;
  const Column time = block.column(&R::time), where = block.column(&R::thread), function = block.column(&R::function),
               start = block.column(&R::start), communicator = block.column(&R::communicator),
               sequence = block.column(&R::sequence);
  for (uint32_t row = 0; row < block.records(); ++row)
    open_calls_[thread(where[row])] = {start[row],        time[row],     name(function[row]),
                                       communicator[row], sequence[row], thread(where[row])};
}

std::string RecordedState::text(int64_t log_id) { return std::string(trace_.names[name(log_id)]); }

void RecordedState::finish() {
  for (const auto& [key, value] : attributes_) trace_.attributes[text(key)] = text(value);
  if (const auto run = trace_.attributes.find("run_id"); run != trace_.attributes.end()) trace_.run_id = run->second;
  for (auto& [key, texts] : communicator_texts_) {
    trace_.communicators[key].name = text(texts.first);
    trace_.communicators[key].members = text(texts.second);
  }
  for (const auto& [thread, call] : open_calls_)
    if (call.function != kNoName) trace_.open_calls.push_back(call);
  for (DeviceTrace& dev : trace_.devices) {
    if (const auto facts = device_facts_.find(dev.device); facts != device_facts_.end()) {
      dev.rank = static_cast<int32_t>(facts->second.rank);
      dev.name = text(facts->second.name);
    }
    for (DeviceStream& s : dev.streams)
      if (const auto handle = stream_handles_.find({dev.device, s.number}); handle != stream_handles_.end())
        s.handle = handle->second;
  }
}

}  // namespace tauprof
