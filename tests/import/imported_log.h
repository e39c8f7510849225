// Imports traces given as text, and reads the logs made from them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "import/import_kineto.h"
#include "read/log_reader.h"

namespace tauprof::kineto {

// A directory that lives as long as its test.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    char path[] = "/tmp/tauprof-import-XXXXXX";
    path_ = mkdtemp(path);
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::string path(std::string_view name) const { return std::string(path_).append("/").append(name); }
  std::string write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::string path_;
};

// The records of one log.
class ImportedLog {
 public:
  explicit ImportedLog(const std::string& path) {
    std::unique_ptr<LogReader> reader;
    const Status status = LogReader::open(path, reader);
    if (!status.is_ok()) {
      ADD_FAILURE() << status.message();
      return;
    }
    header_ = reader->header();
    RecordBlock block;
    while (reader->next(block)) take(block);
    EXPECT_TRUE(reader->loss().regions.empty());
    EXPECT_FALSE(reader->loss().is_cut_short);
  }

  const log::FileHeader& header() const { return header_; }
  std::string text(int64_t id) const { return id == 0 ? "" : texts_.at(id); }

  template <class Record>
  std::vector<Record> records() const {
    std::vector<Record> records;
    const auto rows = rows_.find(Record::kKind);
    if (rows == rows_.end()) return records;
    for (const std::vector<int64_t>& row : rows->second) {
      Record& record = records.emplace_back();
      std::copy(row.begin(), row.begin() + log::kColumnCount<Record>, reinterpret_cast<int64_t*>(&record));
    }
    return records;
  }

  // By attribute name.
  std::map<std::string, std::string> attributes() const {
    std::map<std::string, std::string> all;
    for (const log::Attribute& record : records<log::Attribute>()) all[text(record.name)] = text(record.value);
    return all;
  }

 private:
  void take(const RecordBlock& block) {
    if (block.is_recap()) return;
    for (uint32_t row = 0; row < block.records(); ++row) {
      std::vector<int64_t>& values = rows_[block.kind()].emplace_back(log::kMaxColumns);
      for (uint16_t column = 0; column < log::kMaxColumns; ++column) values[column] = block.column(column)[row];
      if (block.kind() == log::RecordKind::kString) texts_[values[0]] = block.text(row);
    }
  }

  log::FileHeader header_{};
  std::map<log::RecordKind, std::vector<std::vector<int64_t>>> rows_;
  std::map<int64_t, std::string> texts_;
};

// Imports texts and files, and keeps the messages.
class ImportTest : public testing::Test {
 protected:
  // The log of one trace; the trace must be usable.
  ImportedLog import(std::string_view trace, std::string_view name = "rank-0.json") {
    EXPECT_TRUE(import_source(scratch_.write(std::string("in/").append(name), trace)).is_ok());
    EXPECT_EQ(summary_.logs.size(), 1u);
    return ImportedLog(summary_.logs.empty() ? "" : summary_.logs.front());
  }

  // Writes the text to a trace file and imports it, which may fail.
  void try_import(std::string_view trace) {
    EXPECT_TRUE(import_source(scratch_.write("in/rank-0.json", trace)).is_ok());
  }

  Status import_source(const std::string& source) {
    std::filesystem::remove_all(scratch_.path("out"));
    return import_again(source);
  }
  Status import_again(const std::string& source) {
    summary_ = {};
    return import_kineto({source}, scratch_.path("out"), summary_);
  }

  bool said(std::string_view part) const {
    for (const std::string& message : summary_.messages)
      if (message.find(part) != std::string::npos) return true;
    return false;
  }
  uint64_t dropped(Dropped reason) const { return summary_.counts.dropped[static_cast<size_t>(reason)]; }
  uint64_t skipped(Skipped reason) const { return summary_.counts.skipped[static_cast<size_t>(reason)]; }
  uint64_t imported(Imported kind) const { return summary_.counts.imported[static_cast<size_t>(kind)]; }

  // A trace object around events.
  static std::string trace_of(std::string_view events) {
    return R"({"distributedInfo": {"rank": 0, "world_size": 1}, "traceEvents": [)" + std::string(events) + "]}";
  }
  // An operator event with this name, start and duration.
  static std::string event(std::string_view name, std::string_view ts = "1", std::string_view dur = "2") {
    return R"({"ph": "X", "cat": "cpu_op", "name": ")" + std::string(name) + R"(", "pid": 7, "tid": 7, "ts": )" +
           std::string(ts) + R"(, "dur": )" + std::string(dur) + "}";
  }

  ScratchDirectory scratch_;
  ImportSummary summary_;
};

}  // namespace tauprof::kineto
