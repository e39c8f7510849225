// The log of one process of an nsys database, written row by row. Its numbers for threads and names are the log's own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "import/import_counts.h"
#include "import/nsys/database.h"
#include "log/writer.h"
#include "model/time_stretch.h"

namespace tauprof::nsys {

// nsys packs process and thread into one number: the lowest 24 bits are the thread's, the next 24 the process's.
constexpr int64_t kThreadBits = 24;
constexpr int64_t kIdMask = (int64_t{1} << kThreadBits) - 1;
constexpr int64_t process_of(int64_t global) { return global & ~kIdMask; }
constexpr int64_t process_id(int64_t global) { return (global >> kThreadBits) & kIdMask; }
constexpr int64_t thread_id(int64_t global) { return global & kIdMask; }

class ProcessLog {
 public:
  ProcessLog(const Database& database, int64_t process) : database_(database), process_(process) {}

  bool open(const std::string& path, const std::string& host);
  log::Writer& writer() { return writer_; }
  int64_t process() const { return process_; }

  // The log's id of a text of the database, or of any text.
  int64_t name(int64_t string_id);
  int64_t plain_name(std::string_view text) { return writer_.intern(text.data(), text.size()); }
  // The log's number of a thread; -1: there are too many.
  int64_t thread(int64_t global_thread);

  void saw(int64_t start, int64_t end);
  void saw_device(int64_t device) { devices_.insert(device); }
  const std::set<int64_t>& devices() const { return devices_; }
  kineto::ImportCounts& counts() { return counts_; }
  int64_t first_ns() const { return times_.main().start; }
  int64_t last_ns() const { return times_.main().end; }

  void attribute(std::string_view name, std::string_view value);
  // Writes the records of threads and devices, and the counts of dropped data.
  void write_facts();

 private:
  void write_threads();
  void write_devices();

  const Database& database_;
  const int64_t process_;
  log::Writer writer_;
  std::unordered_map<int64_t, int64_t> names_;  // by string id
  std::map<int64_t, int64_t> threads_;          // by nsys' number
  std::set<int64_t> devices_;
  kineto::ImportCounts counts_;
  TimeStretch times_;
};

}  // namespace tauprof::nsys
