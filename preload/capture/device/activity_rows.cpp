#include "capture/device/activity_rows.h"

#include <string.h>

#include "capture/device/cupti_rows.h"

namespace tauprof::capture {
namespace {

namespace records = cupti_records;

constexpr uint64_t kLongestWaitNs = 1'000'000'000;

}  // namespace

// Three quarters of the memory are for launches and calls, a quarter for rows that wait.
void ActivityRows::init(void* memory, size_t bytes) {
  auto* at = static_cast<uint8_t*>(memory);
  const size_t known = bytes / 4 * 3 & ~size_t{4095};
  launches_.init(at, known);
  waiting_ = reinterpret_cast<Waiting*>(at + known);
  most_waiting_ = static_cast<uint32_t>((bytes - known) / sizeof(Waiting));
}

void ActivityRows::take_buffer(const CuptiLibrary& cupti, log::Writer& writer, uint8_t* bytes, size_t valid,
                               Forced forced, bool first) {
  cupti_ = &cupti;
  CUpti_Activity* record = nullptr;
  while (cupti.cuptiActivityGetNextRecord(bytes, valid, &record) == CUPTI_SUCCESS) {
    const auto* at = reinterpret_cast<const uint8_t*>(record);
    const uint32_t kind = record_as<uint32_t>(at);
    if (kind == records::kRuntime || kind == records::kDriver) {
      if (first) launches_.add_launch(record_as<records::ApiCall>(at));
    } else if (kind == records::kContext) {
      if (first) note_context(record_as<records::Context>(at).context, record_as<records::Context>(at).device);
    } else if (!first) {
      take_record(writer, at, forced);
    }
  }
}

void ActivityRows::take_record(log::Writer& writer, const uint8_t* record, Forced forced) {
  if (record_as<uint32_t>(record) == records::kSynchronization)
    return take_synchronization(writer, record_as<records::Synchronization>(record));
  log::DeviceActivity row;
  uint32_t correlation;
  if (!make_work_row(writer, record, row, correlation)) return;
  if (row.start <= 0 || row.duration < 0) {  // 0, or all bits of a copy that has not started
    ++without_times_[static_cast<int>(forced)];
    return;
  }
  note_context(static_cast<uint32_t>(row.context), static_cast<uint32_t>(row.device));
  add(writer, row, {correlation, 0, 0});
}

// A synchronization is not device work: its row has the call if that is known already, and does not wait for it.
void ActivityRows::take_synchronization(log::Writer& writer, const records::Synchronization& record) {
  uint32_t device;
  if (!find_device(record.context, device)) return;
  log::DeviceActivity row = synchronization_row(writer, record, device);
  if (row.start <= 0 || row.duration < 0) return;
  const Launch call = {record.correlation, 0, 0};
  if (write_if_known(writer, row, call) || is_untimed(call, row)) return;
  row.correlation = record.correlation;
  writer.append(row);
}

void ActivityRows::add_timed(log::Writer& writer, const log::DeviceActivity& row, uint32_t thread_id, uint64_t time) {
  log::DeviceActivity copy = row;
  add(writer, copy, {0, thread_id, time});
}

void ActivityRows::add(log::Writer& writer, log::DeviceActivity& row, const Launch& launch) {
  if (write_if_known(writer, row, launch)) return;
  Waiting waiting{row, launch, now_};
  find(waiting.launch);
  if (waiting_count_ == most_waiting_) return give_up(writer, waiting);
  waiting_[waiting_count_++] = waiting;
}

// Other launches may have taken the place of this one.
CallIndex::Answer ActivityRows::call_of(const Launch& launch, uint64_t& number) {
  if (launch.correlation != 0) {
    const CallIndex::Answer answer = launches_.call_of(launch.correlation, number);
    if (answer != CallIndex::Answer::kNotYet || launch.time == 0) return answer;
  }
  return launches_.call_at(launch.thread_id, launch.time, number);
}

// Whether the launch, which was made in no recorded call, was made while nothing was recorded: device records are
// switched on ahead of the recording window, and off a moment after it. The source's record of the call comes when the
// call returns: of the last calls after a window, there is none, and the work's own start tells.
bool ActivityRows::is_launched_outside(const Launch& launch, const log::DeviceActivity& row) const {
  Launch found = launch;
  find(found);
  return is_outside_ != nullptr && is_outside_(found.time != 0 ? found.time : static_cast<uint64_t>(row.start));
}

// Whether the launch was made while device times were not taken: CUPTI is switched on ahead of that time, and off after
// it.
bool ActivityRows::is_untimed(const Launch& launch, const log::DeviceActivity& row) const {
  if (is_timed_ == nullptr) return false;
  Launch found = launch;
  find(found);
  return !is_timed_(found.time != 0 ? found.time : static_cast<uint64_t>(row.start));
}

// While a row waits, its launch may be forgotten, but not where and when it was made.
void ActivityRows::find(Launch& launch) const {
  if (launch.time == 0) launches_.find_launch(launch.correlation, launch.thread_id, launch.time);
}

void ActivityRows::write(log::Writer& writer, const log::DeviceActivity& row) {
  constexpr int64_t kBits = 64;
  if (row.device >= 0 && row.device < kBits) devices_ |= uint64_t{1} << row.device;
  writer.append(row);
}

bool ActivityRows::write_if_known(log::Writer& writer, log::DeviceActivity& row, const Launch& launch) {
  uint64_t number = 0;
  const CallIndex::Answer answer = call_of(launch, number);
  if (answer == CallIndex::Answer::kNotYet) return false;
  if ((answer == CallIndex::Answer::kNone && is_launched_outside(launch, row)) || is_untimed(launch, row)) {
    ++left_out_;
    return true;
  }
  if (answer == CallIndex::Answer::kNone) write_unhooked_call(writer, launch.correlation, row);
  row.correlation = static_cast<int64_t>(answer == CallIndex::Answer::kFound ? number : launch.correlation);
  write(writer, row);
  return true;
}

// Writes the row of a launch without a hook: by a library that calls the driver itself, such as Triton's launcher, or
// by a statically linked runtime. CUPTI says everything that the row needs.
void ActivityRows::write_unhooked_call(log::Writer& writer, uint32_t correlation, const log::DeviceActivity& work) {
  const LaunchCalls::Launch* launch = thread_number_ != nullptr ? launches_.take_outside(correlation) : nullptr;
  if (launch == nullptr) return;
  const char* function = nullptr;
  const auto domain = launch->is_driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
  if (cupti_->cuptiGetCallbackName(domain, launch->function, &function) != CUPTI_SUCCESS || function == nullptr) return;
  log::Call row{};
  row.thread = thread_number_(launch->thread_id);
  if (row.thread == 0) return;
  const char* version = strstr(function, "_v");  // "cudaLaunchKernel_v7000"
  row.function =
      writer.intern(function, version != nullptr ? static_cast<size_t>(version - function) : strlen(function));
  row.start = static_cast<int64_t>(launch->start);
  row.duration = launch->length_ns;
  row.correlation = correlation;
  row.device = work.device;
  writer.append(row);
}

// Its call is not known in time. No later call of the thread tells that it was made in none, but the thread itself may.
void ActivityRows::give_up(log::Writer& writer, const Waiting& waiting) {
  if (announced_ != nullptr && launches_.settle_last(waiting.launch.correlation, announced_)) {
    log::DeviceActivity row = waiting.row;
    if (write_if_known(writer, row, waiting.launch)) return;
  }
  const bool is_outside =
      is_outside_ != nullptr && (leaves_out_unknown_ || is_launched_outside(waiting.launch, waiting.row));
  if (is_outside || is_untimed(waiting.launch, waiting.row))
    ++left_out_;
  else
    write_unlinked(writer, waiting);
}

void ActivityRows::write_unlinked(log::Writer& writer, const Waiting& waiting) {
  log::DeviceActivity row = waiting.row;
  row.correlation = waiting.launch.correlation;
  write(writer, row);
  if (waiting.launch.correlation == 0) return;
  // The nodes of one graph launch come together and share one link.
  if (unlinked_count_ > 0 && unlinked_[unlinked_count_ - 1] == waiting.launch.correlation) return;
  if (unlinked_count_ == kMostUnlinked) {  // the calls of the older half are unlikely to come any more
    unlinked_count_ /= 2;
    memmove(unlinked_, unlinked_ + unlinked_count_, unlinked_count_ * sizeof *unlinked_);
  }
  unlinked_[unlinked_count_++] = waiting.launch.correlation;
}

void ActivityRows::settle(log::Writer& writer, bool is_last) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < waiting_count_; ++i) {
    Waiting& waiting = waiting_[i];
    find(waiting.launch);
    if (write_if_known(writer, waiting.row, waiting.launch)) continue;
    if (!is_last && waiting.since + kLongestWaitNs >= now_)
      waiting_[kept++] = waiting;
    else
      give_up(writer, waiting);
  }
  waiting_count_ = kept;
  settle_links(writer);
}

void ActivityRows::settle_links(log::Writer& writer) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < unlinked_count_; ++i) {
    uint64_t number = 0;
    const CallIndex::Answer answer = launches_.call_of(unlinked_[i], number);
    if (answer == CallIndex::Answer::kFound)
      writer.append(log::Link{unlinked_[i], static_cast<int64_t>(number)});
    else if (answer == CallIndex::Answer::kNotYet)
      unlinked_[kept++] = unlinked_[i];
  }
  unlinked_count_ = kept;
}

uint64_t ActivityRows::take_without_times(Forced forced) {
  uint64_t& counter = without_times_[static_cast<int>(forced)];
  const uint64_t count = counter;
  counter = 0;
  return count;
}

bool ActivityRows::find_device(uint32_t context, uint32_t& device) const {
  for (const Context& known : contexts_) {
    if (known.context != context || context == 0) continue;
    device = known.device;
    return true;
  }
  return false;
}

uint32_t ActivityRows::context_of(uint32_t device) const {
  for (const Context& known : contexts_)
    if (known.context != 0 && known.device == device) return known.context;
  return 0;
}

void ActivityRows::note_context(uint32_t context, uint32_t device) {
  for (Context& known : contexts_) {
    if (known.context == context) return;
    if (known.context != 0) continue;
    known = {context, device};
    return;
  }
}

}  // namespace tauprof::capture
