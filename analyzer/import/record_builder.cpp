#include "import/record_builder.h"

#include <algorithm>
#include <bit>

#include "import/decimal.h"
#include "import/device_work.h"
#include "import/event_kind.h"
#include "import/input_shapes.h"
#include "limits/log_limits.h"
#include "model/profiler_step.h"

namespace tauprof::kineto {
namespace {

constexpr size_t kMaxOpenEvents = 1u << 20;
constexpr size_t kMaxDevices = 4096;
constexpr int64_t kTorchCpu = 0;  // c10::DeviceType of host memory

log::RangeSource source_of(Category category) {
  switch (category) {
    case Category::kAnnotation:
      return log::RangeSource::kAnnotation;
    case Category::kOperator:
      return log::RangeSource::kOperator;
    case Category::kPython:
      return log::RangeSource::kPython;
    case Category::kOverhead:
      return log::RangeSource::kProfiler;
    default:
      return log::RangeSource::kUnknown;
  }
}

Imported counted_as(Category category) {
  switch (category) {
    case Category::kAnnotation:
      return Imported::kAnnotation;
    case Category::kOperator:
      return Imported::kOperator;
    case Category::kPython:
      return Imported::kPython;
    default:
      return Imported::kOtherRange;
  }
}

int64_t payload_of_inputs(const EventArgs& args) {
  return args.input_dims.empty() ? 0 : payload_of(input_size(args.input_dims, args.input_types));
}

// + 1; 0: none, or one that no counter has.
int64_t sequence_of(const MaybeNumber& number) {
  return number.is_set && number.value >= 0 && number.value < kLatestTime ? number.value + 1 : 0;
}

log::OperatorWork record_of(const MatrixWork& work, const log::Range& range) {
  log::OperatorWork record;
  record.thread = range.thread;
  record.name = range.name;
  record.start = range.start;
  record.duration = range.duration;
  record.m = work.m;
  record.n = work.n;
  record.k = work.k;
  record.batch = work.batch;
  record.type_a = static_cast<int64_t>(work.type_a);
  record.type_b = static_cast<int64_t>(work.type_b);
  record.flops = work.flops;
  record.form = static_cast<int64_t>(work.form);
  return record;
}

}  // namespace

void RecordBuilder::visit(const Event& event) {
  switch (event.phase) {
    case 'X':
      return add_complete(event);
    case 'B':
      return begin(event);
    case 'E':
      return end(event);
    case 'i':
    case 'I':
      return add_instant(event);
    case 'M':
      return add_metadata(event);
    case 's':
    case 't':
    case 'f':
      return counts_.add(Skipped::kFlow);
    case 'C':
      return counts_.add(Skipped::kCounter);
    case '\0':
      return counts_.add(Dropped::kNoPhase);
    default:
      return counts_.add(Skipped::kOtherPhase);
  }
}

void RecordBuilder::add_complete(const Event& event) {
  if (event.category == Category::kGpuAnnotation) {
    has_steps_without_stream_ |= is_profiler_step(event.name) && !event.args.stream.is_set;
    return counts_.add(Skipped::kGpuAnnotation);
  }
  if (event.category == Category::kTraceSpan) return counts_.add(Skipped::kTraceSpan);
  if (!has_name_and_start(event)) return;
  if (!event.duration_ns.is_set) return counts_.add(Dropped::kNoTime);
  if (event.duration_ns.value < 0) return counts_.add(Dropped::kNegativeDuration);
  if (event.duration_ns.value > kLatestTime - event.start_ns.value) return counts_.add(Dropped::kBadTime);
  const int64_t end = event.start_ns.value + event.duration_ns.value;
  if (is_device_category(event.category)) {
    add_device_work(event);
  } else {
    const bool is_known = event.category != Category::kUnknown && event.category != Category::kInstant;
    if (!is_known && event.args.stream.is_set && event.args.device.is_set) return counts_.add(Skipped::kOtherDevice);
    const int64_t thread = thread_of(event);
    if (thread < 0) return;
    if (event.category == Category::kApiCall)
      add_call(event, thread);
    else
      add_range(opened(event), thread, end);
  }
  saw(event.start_ns.value, end);
}

void RecordBuilder::add_device_work(const Event& event) {
  const log::DeviceActivity record = device_work_of(event, names_.id(event.name));
  writer_.append(record);
  if (record.device != last_device_ && devices_.size() < kMaxDevices) devices_.insert(record.device);
  last_device_ = record.device;
  add_bandwidth(event.args.bandwidth, record);
  switch (event.category) {
    case Category::kMemcpy:
      return counts_.add(Imported::kCopy);
    case Category::kMemset:
      return counts_.add(Imported::kMemset);
    case Category::kSynchronization:
      return counts_.add(Imported::kSynchronization);
    default:
      break;
  }
  counts_.add(Imported::kKernel);
  if (collectives_.add_kernel(event)) counts_.add(Imported::kCollective);
}

void RecordBuilder::add_bandwidth(std::optional<double> gb_per_s, const log::DeviceActivity& copy) {
  if (!gb_per_s || *gb_per_s == static_cast<double>(copy.bytes) / static_cast<double>(copy.duration)) return;
  log::CopyBandwidth record;
  record.correlation = copy.correlation;
  record.start = copy.start;
  record.bits = std::bit_cast<int64_t>(*gb_per_s);
  writer_.append(record);
}

void RecordBuilder::add_call(const Event& event, int64_t thread) {
  log::Call record;
  record.thread = thread;
  record.function = names_.id(event.name);
  record.start = event.start_ns.value;
  record.duration = event.duration_ns.value;
  record.correlation = event.args.correlation.value;
  record.stream = event.args.stream.value;
  record.bytes = event.args.bytes.value;
  writer_.append(record);
  counts_.add(Imported::kCall);
}

RecordBuilder::OpenEvent RecordBuilder::opened(const Event& event) {
  if (event.category == Category::kOperator && !event.args.collective.name.empty()) collectives_.remember(event.args);
  const bool has_domain = event.category == Category::kUnknown;
  const bool multiplies =
      event.category == Category::kOperator && !event.args.input_dims.empty() && may_multiply(event.name);
  return {event.category,
          names_.id(event.name),
          has_domain ? names_.id(event.category_text) : 0,
          event.start_ns.value,
          event.args.correlation.value,
          multiplies ? 0 : payload_of_inputs(event.args),
          sequence_of(event.args.autograd_sequence),
          std::max<int64_t>(event.args.forward_thread.value, 0),
          multiplies ? matrix_work(event.name, event.args) : std::nullopt};
}

void RecordBuilder::add_range(const OpenEvent& event, int64_t thread, int64_t end) {
  log::Range record;
  record.thread = thread;
  record.name = event.name;
  record.source = static_cast<int64_t>(source_of(event.category));
  record.domain = event.domain;
  record.start = event.start;
  record.duration = end - event.start;
  record.payload = event.payload;
  record.sequence = event.sequence;
  record.forward_thread = event.forward_thread;
  writer_.append(record);
  counts_.add(counted_as(event.category));
  if (event.work) writer_.append(record_of(*event.work, record));
}

void RecordBuilder::begin(const Event& event) {
  if (is_device_category(event.category)) return counts_.add(Skipped::kOtherDevice);
  if (!has_name_and_start(event)) return;
  if (open_events_ == kMaxOpenEvents) return counts_.add(Dropped::kUnmatched);
  const int64_t thread = thread_of(event);
  if (thread < 0) return;
  open_[thread].push_back(opened(event));
  ++open_events_;
}

void RecordBuilder::end(const Event& event) {
  if (is_device_category(event.category)) return counts_.add(Skipped::kOtherDevice);
  if (!event.start_ns.is_set) return counts_.add(event.has_bad_time ? Dropped::kBadTime : Dropped::kNoTime);
  const int64_t thread = thread_of(event);
  if (thread < 0) return;
  std::vector<OpenEvent>& open = open_[thread];
  if (open.empty()) return counts_.add(Dropped::kUnmatched);
  const OpenEvent begun = open.back();
  open.pop_back();
  --open_events_;
  int64_t duration;
  if (__builtin_sub_overflow(event.start_ns.value, begun.start, &duration)) return counts_.add(Dropped::kBadTime);
  if (duration < 0) return counts_.add(Dropped::kNegativeDuration);
  if (begun.category == Category::kApiCall) {
    log::Call record;
    record.thread = thread;
    record.function = begun.name;
    record.start = begun.start;
    record.duration = duration;
    record.correlation = begun.correlation;
    writer_.append(record);
    counts_.add(Imported::kCall);
  } else {
    add_range(begun, thread, event.start_ns.value);
  }
  saw(begun.start, event.start_ns.value);
}

void RecordBuilder::add_instant(const Event& event) {
  if (!has_name_and_start(event)) return;
  if (event.name == "[memory]" && event.args.bytes.is_set) return add_memory(event);
  const int64_t thread = thread_of(event);
  if (thread < 0) return;
  log::Mark record;
  record.thread = thread;
  record.name = names_.id(event.name);
  record.source = static_cast<int64_t>(source_of(event.category));
  record.domain = event.category == Category::kUnknown ? names_.id(event.category_text) : 0;
  record.time = event.start_ns.value;
  writer_.append(record);
  counts_.add(Imported::kMark);
  saw(record.time, record.time);
}

// An event of PyTorch's allocator. The bytes are negative when memory is freed.
void RecordBuilder::add_memory(const Event& event) {
  const EventArgs& args = event.args;
  if (args.device_type.value_or(kTorchCpu) == kTorchCpu) return counts_.add(Skipped::kHostMemory);
  if (args.bytes.value == std::numeric_limits<int64_t>::min()) return counts_.add(Dropped::kBadTime);
  const int64_t thread = thread_of(event);
  if (thread < 0) return;
  log::Memory record;
  record.time = event.start_ns.value;
  record.thread = thread;
  record.device = args.device_id.value;
  record.action = static_cast<int64_t>(args.bytes.value < 0 ? log::MemoryAction::kFree : log::MemoryAction::kAllocate);
  record.address = args.address.value;
  record.bytes = args.bytes.value < 0 ? -args.bytes.value : args.bytes.value;
  record.pool = names_.plain_id("pytorch");
  record.total_bytes = args.total_allocated.value;
  writer_.append(record);
  counts_.add(Imported::kMemory);
  saw(record.time, record.time);
}

void RecordBuilder::add_metadata(const Event& event) {
  counts_.add(Skipped::kMetadata);
  if (event.name == "thread_name" && !event.args.name.empty()) threads_.set_name(event.pid, event.tid, event.args.name);
}

bool RecordBuilder::has_name_and_start(const Event& event) {
  if (!event.has_name)
    counts_.add(Dropped::kNoName);
  else if (event.has_bad_time)
    counts_.add(Dropped::kBadTime);
  else if (!event.start_ns.is_set)
    counts_.add(Dropped::kNoTime);
  else
    return true;
  return false;
}

int64_t RecordBuilder::thread_of(const Event& event) {
  const int64_t thread = threads_.number(event.pid, event.tid);
  if (thread < 0) counts_.add(Dropped::kTooManyThreads);
  return thread;
}

void RecordBuilder::saw(int64_t start, int64_t end) {
  times_.add(start);
  times_.add(end);
}

void RecordBuilder::finish() {
  counts_.add(Dropped::kUnmatched, open_events_);
  threads_.write(writer_, names_);
  collectives_.write_communicators();
  write_devices();
  write_losses();
}

void RecordBuilder::write_devices() {
  for (int64_t number : devices_) {
    log::Device record;
    record.device = number;
    record.rank = -1;
    if (const auto known = metadata_.devices.find(number); known != metadata_.devices.end()) {
      record.name = names_.plain_id(known->second.name);
      record.sm_count = known->second.sm_count;
      record.memory_bytes = known->second.memory_bytes;
      record.compute_major = known->second.compute_major;
      record.compute_minor = known->second.compute_minor;
    }
    writer_.append(record);
  }
}

void RecordBuilder::write_losses() {
  for (size_t i = 0; i < counts_.dropped.size(); ++i) {
    if (counts_.dropped[i] == 0) continue;
    log::Drop record;
    record.time = last_ns();
    record.count = static_cast<int64_t>(counts_.dropped[i]);
    record.reason = names_.plain_id(kDroppedNames[i]);
    writer_.append(record);
  }
}

}  // namespace tauprof::kineto
