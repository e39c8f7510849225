// tauprof-rewrite-clock: rewrites a log as if its host's clock had been different. For tests of recorded jobs whose
// hosts disagree about the time.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "log/writer.h"
#include "model/status.h"
#include "read/log_reader.h"
#include "read/record_names.h"

namespace {

using namespace tauprof;

struct Options {
  std::string in, out;
  double offset_s = 0;
  double drift_ppm = 0;
  double wall_clock_error_s = 0;
  std::string host;  // empty: unchanged
};

// The different clock.
class OtherClock {
 public:
  OtherClock(const Options& options, int64_t origin)
      : origin_(origin), offset_(static_cast<int64_t>(options.offset_s * 1e9)), drift_(options.drift_ppm * 1e-6) {}

  int64_t at(int64_t time) const { return time + offset_ + gained(time - origin_); }
  int64_t gained(int64_t length) const { return static_cast<int64_t>(static_cast<double>(length) * drift_); }

 private:
  int64_t origin_, offset_;
  double drift_;
};

class Rewriter {
 public:
  explicit Rewriter(const Options& options) : options_(options) {}

  Status run() {
    std::unique_ptr<LogReader> reader;
    if (Status status = LogReader::open(options_.in, reader); !status.is_ok()) return status;
    const OtherClock clock(options_, reader->header().start_time_ns);
    if (!writer_.open(options_.out.c_str(), header(reader->header(), clock))) return failure();
    RecordBlock block;
    while (reader->next(block))
      if (!block.is_recap() && !copy(block, clock)) return failure();
    if (!reader->loss().regions.empty()) return Status::error(options_.in + ": damaged; rewrite an undamaged log");
    return !has_end_ || writer_.close(end_time_, end_reason_.c_str()) ? Status::ok() : failure();
  }

 private:
  Status failure() const { return Status::error(options_.out + ": " + std::strerror(writer_.error())); }

  log::FileHeader header(log::FileHeader header, const OtherClock& clock) const {
    header.start_time_ns = clock.at(header.start_time_ns);
    header.start_realtime_ns += static_cast<int64_t>(options_.wall_clock_error_s * 1e9);
    if (options_.host.empty()) return header;
    std::memset(header.host, 0, sizeof header.host);
    options_.host.copy(header.host, sizeof header.host - 1);
    std::memset(header.boot_id, 0, sizeof header.boot_id);
    options_.host.copy(reinterpret_cast<char*>(header.boot_id), sizeof header.boot_id);
    return header;
  }

  bool copy(const RecordBlock& block, const OtherClock& clock) {
    for (uint32_t row = 0; row < block.records(); ++row)
      if (!copy_row(block, row, clock)) return false;
    return true;
  }

  bool copy_row(const RecordBlock& block, uint32_t row, const OtherClock& clock) {
    switch (block.kind()) {
      case log::RecordKind::kString:
        // Texts get their ids in order, so each keeps the id that it had.
        texts_.emplace_back(block.text(row));
        return writer_.intern(texts_.back().data(), texts_.back().size()) == block.column(&log::String::id)[row];
      case log::RecordKind::kEnd:
        keep_end(block, row, clock);
        return true;
      default:
        return copy_record(block, row, clock);
    }
  }

  void keep_end(const RecordBlock& block, uint32_t row, const OtherClock& clock) {
    has_end_ = true;
    end_time_ = clock.at(block.column(&log::End::time)[row]);
    const auto reason = static_cast<size_t>(block.column(&log::End::reason)[row]);
    end_reason_ = reason == 0 || reason > texts_.size() ? "" : texts_[reason - 1];
  }

  bool copy_record(const RecordBlock& block, uint32_t row, const OtherClock& clock) {
    switch (block.kind()) {
#define TAUPROF_RECORD(number, Type, name, role) \
  case log::RecordKind::k##Type:                 \
    return append<log::Type>(block, row, clock);
#define TAUPROF_COLUMN(name, form)
#define TAUPROF_RECORD_END()
#include "log/schema.def"
      default:
        return false;
    }
  }

  template <class Record>
  bool append(const RecordBlock& block, uint32_t row, const OtherClock& clock) {
    Record record;
    auto* const values = reinterpret_cast<int64_t*>(&record);
    for (uint16_t column = 0; column < log::kColumnCount<Record>; ++column) {
      values[column] = block.column(column)[row];
      const std::string_view name = column_name(block.kind(), column);
      if ((name == "start" || name == "time") && values[column] != 0) values[column] = clock.at(values[column]);
      if (name == "duration") values[column] += clock.gained(values[column]);
    }
    if constexpr (Record::kKind == log::RecordKind::kString)
      return false;  // its text is not a column
    else
      return writer_.append(record);
  }

  const Options& options_;
  log::Writer writer_;
  std::vector<std::string> texts_;  // by id - 1
  bool has_end_ = false;
  int64_t end_time_ = 0;
  std::string end_reason_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Rewrites a log as if its host's clock had been different.");
  app.add_option("in", options.in, "the log to read")->required();
  app.add_option("out", options.out, "the log to write; it must not exist")->required();
  app.add_option("--offset", options.offset_s, "seconds by which the clock is ahead");
  app.add_option("--drift", options.drift_ppm, "parts per million by which it gains");
  app.add_option("--wall-clock-error", options.wall_clock_error_s, "seconds by which the wall clock is ahead");
  app.add_option("--host", options.host, "name of a different host to put the log on");
  CLI11_PARSE(app, argc, argv);
  if (const Status status = Rewriter(options).run(); !status.is_ok()) {
    std::cerr << "tauprof-rewrite-clock: " << status.message() << '\n';
    return 1;
  }
}
