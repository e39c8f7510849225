#include "import/nsys/event_tables.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <utility>

#include "import/device_work.h"
#include "limits/log_limits.h"

namespace tauprof::nsys {
namespace {

using kineto::Dropped;
using kineto::Imported;

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kFills = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr const char* kWaits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kRanges = "NVTX_EVENTS";

// Of CUPTI, by number, as PyTorch's profiler spells them.
constexpr std::array kCopyLetters = {"",     "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                     "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
constexpr std::array kWaitNames = {"", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};

log::CopyKind copy_kind(int64_t number) {
  switch (number) {
    case 1:
    case 3:
      return log::CopyKind::kHostToDevice;
    case 2:
    case 4:
      return log::CopyKind::kDeviceToHost;
    case 5:
    case 6:
    case 7:
    case 8:
      return log::CopyKind::kDeviceToDevice;
    case 9:
      return log::CopyKind::kHostToHost;
    case 10:
      return log::CopyKind::kPeerToPeer;
    default:
      return log::CopyKind::kUnknown;
  }
}

template <size_t kSize>
std::string word_of(const std::array<const char*, kSize>& words, int64_t number) {
  return number >= 0 && number < static_cast<int64_t>(kSize) ? words[static_cast<size_t>(number)] : "";
}

// "cudaLaunchKernel_v7000" is what the runtime calls a version of cudaLaunchKernel.
std::string_view without_version(std::string_view function) {
  for (const std::string_view suffix : {"_ptsz", "_ptds"})
    if (function.ends_with(suffix)) function.remove_suffix(suffix.size());
  const size_t version = function.rfind("_v");
  if (!function.starts_with("cuda") || version == function.npos) return function;
  const std::string_view digits = function.substr(version + 2);
  const bool is_version = !digits.empty() && std::all_of(digits.begin(), digits.end(),
                                                         [](unsigned char letter) { return std::isdigit(letter); });
  return is_version ? function.substr(0, version) : function;
}

// "aten::mm, seq = 12, op_id = 3" is what PyTorch calls an operator (nsys profile --pytorch=autograd-nvtx, or
// torch.autograd.profiler.emit_nvtx); empty: it is the name of none.
std::string_view operator_in(std::string_view range) {
  if (!range.starts_with("aten::") && !range.starts_with("autograd::")) return {};
  return range.substr(0, range.find(", "));
}

class TableImport {
 public:
  TableImport(const Database& database, const LogOf& log_of) : database_(database), log_of_(log_of) {
    for (Rows rows(database_, "ENUM_CUDA_MEM_KIND", {"id", "label"}); rows.next();)
      memory_kinds_[rows.integer(0)] = rows.text(1);
  }

  Status run() {
    for (const auto part : {&TableImport::kernels, &TableImport::copies, &TableImport::fills, &TableImport::graphs,
                            &TableImport::waits, &TableImport::calls, &TableImport::ranges})
      if (Status status = (this->*part)(); !status.is_ok()) return status;
    return Status::ok();
  }

 private:
  // The first columns of all tables of device work.
  enum Column { kStart, kEnd, kProcess, kDevice, kContext, kStream, kCorrelation, kFirstOwn };

  // The log that a row goes to, if its times can be; null: it is left out.
  ProcessLog* log_of_row(const Rows& rows) {
    ProcessLog* const log = log_of_(process_of(rows.integer(kProcess)));
    if (log == nullptr) return nullptr;
    if (const auto lost = wrong_times(rows)) {
      log->counts().add(*lost);
      return nullptr;
    }
    log->saw(rows.integer(kStart), rows.integer(kEnd));
    return log;
  }

  static std::optional<Dropped> wrong_times(const Rows& rows) {
    if (rows.is_null(kStart) || rows.is_null(kEnd)) return Dropped::kNoTime;
    const int64_t start = rows.integer(kStart), end = rows.integer(kEnd);
    if (end < start) return Dropped::kNegativeDuration;
    if (start < -kLatestTime || end > kLatestTime) return Dropped::kBadTime;
    return std::nullopt;
  }

  static log::DeviceActivity device_work(const Rows& rows, log::ActivityKind kind, ProcessLog& log) {
    log::DeviceActivity record;
    record.activity = static_cast<int64_t>(kind);
    record.device = rows.integer(kDevice);
    record.context = rows.integer(kContext);
    record.stream = rows.integer(kStream);
    record.start = rows.integer(kStart);
    record.duration = rows.integer(kEnd) - rows.integer(kStart);
    record.correlation = rows.integer(kCorrelation);
    log.saw_device(record.device);
    return record;
  }

  Status kernels() {
    Rows rows(database_, kKernels,
              {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "demangledName",
               "shortName", "graphNodeId", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
               "staticSharedMemory", "dynamicSharedMemory", "registersPerThread"});
    while (rows.next()) {
      ProcessLog* const log = log_of_row(rows);
      if (log == nullptr) continue;
      int column = kFirstOwn;
      log::DeviceActivity record = device_work(rows, log::ActivityKind::kKernel, *log);
      const int64_t full = log->name(rows.integer(column++)), brief = log->name(rows.integer(column++));
      record.name = full != 0 ? full : brief;
      record.graph_node = rows.integer(column++);
      for (int64_t* const value : {&record.grid_x, &record.grid_y, &record.grid_z, &record.block_x, &record.block_y,
                                   &record.block_z, &record.shared_memory})
        *value = rows.integer(column++);
      record.shared_memory += std::clamp<int64_t>(rows.integer(column++), 0, kLatestTime - record.shared_memory);
      record.registers = rows.integer(column);
      log->writer().append(record);
      log->counts().add(Imported::kKernel);
    }
    return rows.status();
  }

  std::string with_memory(const std::string& name, const Rows& rows, int from, int to) const {
    const auto source = memory_kinds_.find(rows.integer(from)), target = memory_kinds_.find(rows.integer(to));
    if (rows.is_null(from) || source == memory_kinds_.end() || target == memory_kinds_.end()) return name;
    return name + " (" + source->second + (from == to ? "" : " -> " + target->second) + ")";
  }

  Status copies() {
    Rows rows(database_, kCopies,
              {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "bytes", "copyKind",
               "srcKind", "dstKind", "srcDeviceId", "dstDeviceId", "graphNodeId"});
    while (rows.next()) {
      ProcessLog* const log = log_of_row(rows);
      if (log == nullptr) continue;
      log::DeviceActivity record = device_work(rows, log::ActivityKind::kMemcpy, *log);
      record.bytes = rows.integer(kFirstOwn);
      const int64_t kind = rows.integer(kFirstOwn + 1);
      record.copy_kind = static_cast<int64_t>(copy_kind(kind));
      const std::string name = with_memory("Memcpy " + word_of(kCopyLetters, kind), rows, kFirstOwn + 2, kFirstOwn + 3);
      record.name = log->plain_name(name);
      record.host_memory = static_cast<int64_t>(kineto::host_memory_of(name));
      const int64_t source = rows.integer(kFirstOwn + 4), target = rows.integer(kFirstOwn + 5);
      if (!rows.is_null(kFirstOwn + 4)) record.peer_device = record.device == source ? target : source;
      record.graph_node = rows.integer(kFirstOwn + 6);
      log->writer().append(record);
      log->counts().add(Imported::kCopy);
    }
    return rows.status();
  }

  Status fills() {
    Rows rows(database_, kFills,
              {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "bytes", "memKind",
               "graphNodeId"});
    while (rows.next()) {
      ProcessLog* const log = log_of_row(rows);
      if (log == nullptr) continue;
      log::DeviceActivity record = device_work(rows, log::ActivityKind::kMemset, *log);
      record.bytes = rows.integer(kFirstOwn);
      record.name = log->plain_name(with_memory("Memset", rows, kFirstOwn + 1, kFirstOwn + 1));
      record.graph_node = rows.integer(kFirstOwn + 2);
      log->writer().append(record);
      log->counts().add(Imported::kMemset);
    }
    return rows.status();
  }

  // Graphs that were recorded as a whole (--cuda-graph-trace=graph, the default).
  Status graphs() {
    Rows rows(database_, kGraphs,
              {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "graphId"});
    while (rows.next()) {
      ProcessLog* const log = log_of_row(rows);
      if (log == nullptr) continue;
      log::DeviceActivity record = device_work(rows, log::ActivityKind::kGraph, *log);
      record.graph = rows.integer(kFirstOwn);
      record.name = log->plain_name("CUDA graph");
      log->writer().append(record);
      log->counts().add(Imported::kGraph);
    }
    return rows.status();
  }

  Status waits() {
    Rows rows(database_, kWaits,
              {"start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId", "syncType"});
    while (rows.next()) {
      ProcessLog* const log = log_of_row(rows);
      if (log == nullptr) continue;
      log::DeviceActivity record = device_work(rows, log::ActivityKind::kSynchronization, *log);
      record.name = log->plain_name(word_of(kWaitNames, rows.integer(kFirstOwn)));
      log->writer().append(record);
      log->counts().add(Imported::kSynchronization);
    }
    return rows.status();
  }

  Status calls() {
    Rows rows(database_, kCalls, {"start", "end", "globalTid", "nameId", "correlationId", "returnValue"});
    while (rows.next()) {
      ProcessLog* const log = log_of_row(rows);
      if (log == nullptr) continue;
      log::Call record;
      record.thread = log->thread(rows.integer(kProcess));
      if (record.thread < 0) {
        log->counts().add(Dropped::kTooManyThreads);
        continue;
      }
      record.function = log->plain_name(without_version(database_.text(rows.integer(3))));
      record.start = rows.integer(kStart);
      record.duration = rows.integer(kEnd) - rows.integer(kStart);
      record.correlation = rows.integer(4);
      record.result = rows.integer(5);
      log->writer().append(record);
      log->counts().add(Imported::kCall);
    }
    return rows.status();
  }

  // The names of NVTX' domains, which are rows themselves.
  void read_domains() {
    constexpr int64_t kDomain = 75;
    Rows rows(database_, kRanges, {"eventType", "globalTid", "domainId", "text", "textId"});
    while (rows.next())
      if (rows.integer(0) == kDomain)
        domains_.try_emplace({process_of(rows.integer(1)), rows.integer(2)},
                             rows.is_null(3) ? database_.text(rows.integer(4)) : std::string(rows.text(3)));
  }

  Status ranges() {
    constexpr int64_t kMark = 34, kPushPop = 59, kStartEnd = 60;
    read_domains();
    Rows rows(database_, kRanges, {"start", "end", "globalTid", "eventType", "text", "textId", "domainId"});
    while (rows.next()) {
      const int64_t type = rows.integer(3);
      if (type != kMark && type != kPushPop && type != kStartEnd) continue;
      ProcessLog* const log = log_of_(process_of(rows.integer(kProcess)));
      if (log == nullptr) continue;
      log::Range record;
      const std::string_view text = rows.is_null(4) ? std::string_view(database_.text(rows.integer(5))) : rows.text(4);
      const std::string_view operator_name = operator_in(text);
      record.name = log->plain_name(operator_name.empty() ? text : operator_name);
      record.thread = log->thread(rows.integer(kProcess));
      const log::RangeSource source = !operator_name.empty() ? log::RangeSource::kOperator
                                      : type == kStartEnd    ? log::RangeSource::kNvtxProcess
                                                             : log::RangeSource::kNvtx;
      record.source = static_cast<int64_t>(source);
      if (const auto domain = domains_.find({process_of(rows.integer(kProcess)), rows.integer(6)});
          domain != domains_.end())
        record.domain = log->plain_name(domain->second);
      record.start = rows.integer(kStart);
      add_range(type == kMark, rows, record, *log);
    }
    return rows.status();
  }

  static void add_range(bool is_mark, const Rows& rows, log::Range& record, ProcessLog& log) {
    if (record.thread < 0) return log.counts().add(Dropped::kTooManyThreads);
    if (record.name == 0) return log.counts().add(Dropped::kNoName);
    if (is_mark && !rows.is_null(kStart)) {
      log::Mark mark;
      mark.thread = record.thread;
      mark.name = record.name;
      mark.source = record.source;
      mark.domain = record.domain;
      mark.time = record.start;
      log.writer().append(mark);
      log.saw(mark.time, mark.time);
      return log.counts().add(Imported::kMark);
    }
    if (rows.is_null(kEnd)) return log.counts().add(Dropped::kUnmatched);
    if (const auto lost = wrong_times(rows)) return log.counts().add(*lost);
    record.duration = rows.integer(kEnd) - record.start;
    log.writer().append(record);
    log.saw(record.start, rows.integer(kEnd));
    const bool is_operator = record.source == static_cast<int64_t>(log::RangeSource::kOperator);
    log.counts().add(is_operator ? Imported::kOperator : Imported::kAnnotation);
  }

  const Database& database_;
  const LogOf& log_of_;
  std::map<int64_t, std::string> memory_kinds_;
  std::map<std::pair<int64_t, int64_t>, std::string> domains_;  // by process and number
};

}  // namespace

std::set<int64_t> processes_with_work(const Database& database) {
  std::set<int64_t> processes;
  for (const char* const table : {kKernels, kCopies, kFills, kGraphs})
    for (Rows rows(database, table, {"globalPid"}); rows.next();) processes.insert(process_of(rows.integer(0)));
  return processes;
}

Status import_tables(const Database& database, const LogOf& log_of) { return TableImport(database, log_of).run(); }

}  // namespace tauprof::nsys
