#include "import/file_import.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <new>

#include "import/byte_source.h"
#include "import/event_reader.h"
#include "import/log_place.h"
#include "import/record_builder.h"
#include "import/trace_stream.h"

namespace tauprof::kineto {
namespace {

constexpr int64_t kMaxRank = 1 << 24;
constexpr int64_t kPlausibleRealtimeNs = 1'000'000'000'000'000'000;  // September 2001

// Turns one trace into one log.
class FileImport {
 public:
  FileImport(const FileJob& job, std::unique_ptr<ByteSource> source)
      : job_(job), stream_(std::move(source)), builder_(writer_, metadata_, job.rank_by_name), reader_(builder_) {}

  FileOutcome run() {
    log::FileHeader header{};
    header.clock = static_cast<uint32_t>(log::Clock::kTrace);
    if (!writer_.open(job_.log.c_str(), header)) {
      say("the log cannot be created: {}; choose another directory with -o", strerror(writer_.error()));
      return std::move(outcome_);
    }
    read_all();
    finish();
    if (!outcome_.is_imported) unlink(job_.log.c_str());
    return std::move(outcome_);
  }

 private:
  template <class... Values>
  void say(std::string_view format, const Values&... values) {
    outcome_.messages.push_back(fmt::format("{}: {}", job_.source, fmt::format(fmt::runtime(format), values...)));
  }

  void read_all() {
    while (BatchPointer batch = stream_.next()) {
      for (const TopLevelMember& member : batch->split.members)
        metadata_.read(batch->text(member.key), batch->text(member.value));
      builder_.count_malformed(batch->split.malformed + reader_.read(*batch));
      if (!writer_.ok()) break;
      stream_.give_back(std::move(batch));
    }
  }

  void finish() {
    if (!writer_.ok()) {
      say("the log cannot be written: {}", strerror(writer_.error()));
      return;
    }
    if (!is_usable()) return;
    settle_rank();
    builder_.finish();
    write_facts();
    outcome_.counts = builder_.counts();
    outcome_.header.start_time_ns = builder_.first_ns();
    outcome_.header.start_realtime_ns = start_realtime();
    outcome_.header.pid = builder_.process_id();
    outcome_.is_imported = writer_.close(builder_.last_ns(), "imported");
    if (!outcome_.is_imported) say("the log cannot be written: {}", strerror(writer_.error()));
    say_losses();
  }

  bool is_usable() {
    const Status& status = stream_.source_status();
    const std::string early = status.is_ok() ? "" : fmt::format(" ({})", status.message());
    if (stream_.is_empty())
      say("the file is empty{}; record it again", early);
    else if (stream_.is_foreign())
      say("not JSON, so no PyTorch profiler trace{}; left out", early);
    else if (!stream_.is_trace())
      say("no traceEvents in {} bytes of JSON, so no PyTorch profiler trace{}; left out", stream_.bytes(), early);
    else if (builder_.counts().imported_events() == 0)
      say("the trace holds no usable events{}{}; left out", why_dropped(), early);
    else
      return true;
    return false;
  }

  void say_losses() {
    const Status& status = stream_.source_status();
    if (!status.is_ok())
      say("{}; what came before is imported ({} bytes of JSON), copy or record it again if you need the remainder",
          status.message(), stream_.bytes());
    else if (!stream_.is_complete())
      say("cut short at byte {}; the events before it are imported, record it again if you need the end",
          stream_.bytes());
    const uint64_t lost = outcome_.counts.dropped_events();
    outcome_.is_damaged = !status.is_ok() || !stream_.is_complete() || lost > 0;
    if (lost > 0) say("{} of {} events dropped{}", lost, lost + outcome_.counts.imported_events(), why_dropped());
  }

  // ": unreadable number (3), no name (1)"; empty where no event was dropped.
  std::string why_dropped() const {
    const ImportCounts& counts = builder_.counts();
    std::string reasons;
    for (size_t i = 0; i < counts.dropped.size(); ++i)
      if (counts.dropped[i] > 0)
        reasons += fmt::format("{} {} ({})", reasons.empty() ? ":" : ",", kDroppedNames[i], counts.dropped[i]);
    return reasons;
  }

  void settle_rank() {
    const char* source = "distributedInfo";
    outcome_.rank = metadata_.rank;
    outcome_.world_size = metadata_.world_size > 0 && metadata_.world_size <= kMaxRank ? metadata_.world_size : 0;
    if (outcome_.rank < 0 || outcome_.rank > kMaxRank) {
      const bool is_named = job_.rank_by_name >= 0;
      outcome_.rank = is_named ? job_.rank_by_name : job_.rank_by_order;
      source = is_named ? "the file's name" : "its position in the list of files";
      say("the trace does not say its rank; taken from {}: {}", source, outcome_.rank);
      attribute("rank_source", is_named ? "file name" : "file order");
    }
    log::Process record;
    record.rank = outcome_.rank;
    record.world_size = outcome_.world_size;
    record.local_rank = -1;
    writer_.append(record);
  }

  void attribute(std::string_view name, std::string_view value) {
    log::Attribute record;
    record.name = builder_.names().plain_id(name);
    record.value = builder_.names().plain_id(value);
    if (!value.empty()) writer_.append(record);
  }

  void write_facts() {
    attribute("source", "kineto");
    attribute("source_file", job_.source);
    attribute(kSourceDigest, source_digest(job_.source));
    attribute("trace_name", metadata_.trace_name);
    attribute("distributed.backend", metadata_.backend);
    attribute("version.nccl", metadata_.nccl_version);
    if (builder_.has_steps_without_stream()) attribute("hta.steps_without_stream", "1");
    if (start_realtime() == 0) return;
    log::ClockAnchor anchor;
    anchor.clock = static_cast<int64_t>(log::Clock::kRealtime);
    anchor.value = metadata_.base_time_ns;
    writer_.append(anchor);
  }

  // Without a base, times count from 1970, as in traces of old profilers, or from any other time.
  int64_t start_realtime() const {
    int64_t start;
    if (__builtin_add_overflow(metadata_.base_time_ns, builder_.first_ns(), &start)) return 0;
    return start >= kPlausibleRealtimeNs ? start : 0;
  }

  const FileJob& job_;
  FileOutcome outcome_;
  TraceStream stream_;
  log::Writer writer_;
  TraceMetadata metadata_;
  RecordBuilder builder_;
  EventReader reader_;
};

}  // namespace

FileOutcome import_file(const FileJob& job) {
  std::unique_ptr<ByteSource> source;
  if (const Status status = ByteSource::open(job.source, source, job.read_bytes); !status.is_ok()) {
    FileOutcome outcome;
    outcome.messages.push_back(fmt::format("{}: {}; left out", job.source, status.message()));
    return outcome;
  }
  return FileImport(job, std::move(source)).run();
}

}  // namespace tauprof::kineto
