#include "import/nsys/process_log.h"

#include <algorithm>
#include <cstring>

namespace tauprof::nsys {
namespace {

constexpr size_t kMostThreads = 65534;
constexpr size_t kMostDevices = 4096;

}  // namespace

bool ProcessLog::open(const std::string& path, const std::string& host) {
  log::FileHeader header{};
  header.clock = static_cast<uint32_t>(log::Clock::kTrace);
  memcpy(header.host, host.data(), std::min(host.size(), sizeof(header.host) - 1));
  return writer_.open(path.c_str(), header);
}

int64_t ProcessLog::name(int64_t string_id) {
  const auto [known, is_new] = names_.try_emplace(string_id, 0);
  if (is_new) known->second = plain_name(database_.text(string_id));
  return known->second;
}

int64_t ProcessLog::thread(int64_t global_thread) {
  const auto known = threads_.find(global_thread);
  if (known != threads_.end()) return known->second;
  if (threads_.size() == kMostThreads) return -1;
  return threads_[global_thread] = static_cast<int64_t>(threads_.size()) + 1;
}

void ProcessLog::saw(int64_t start, int64_t end) {
  times_.add(start);
  times_.add(end);
}

void ProcessLog::attribute(std::string_view name, std::string_view value) {
  if (value.empty()) return;
  log::Attribute record;
  record.name = plain_name(name);
  record.value = plain_name(value);
  writer_.append(record);
}

void ProcessLog::write_facts() {
  write_threads();
  write_devices();
  for (size_t i = 0; i < counts_.dropped.size(); ++i) {
    if (counts_.dropped[i] == 0) continue;
    log::Drop record;
    record.time = last_ns();
    record.count = static_cast<int64_t>(counts_.dropped[i]);
    record.reason = plain_name(kineto::kDroppedNames[i]);
    writer_.append(record);
  }
}

void ProcessLog::write_threads() {
  std::map<int64_t, int64_t> names;
  Rows rows(database_, "ThreadNames", {"globalTid", "nameId"});
  while (rows.next()) names[rows.integer(0)] = rows.integer(1);
  for (const auto& [global, number] : threads_) {
    log::Thread record;
    record.thread = number;
    record.os_id = thread_id(global);
    record.is_main = thread_id(global) != 0 && thread_id(global) == process_id(global);
    if (const auto named = names.find(global); named != names.end()) record.name = name(named->second);
    writer_.append(record);
  }
}

void ProcessLog::write_devices() {
  std::map<int64_t, log::Device> known;
  Rows rows(database_, "TARGET_INFO_GPU", {"id", "name", "smCount", "totalMemory", "computeMajor", "computeMinor"});
  while (rows.next() && known.size() < kMostDevices) {
    log::Device& record = known[rows.integer(0)];
    record.name = plain_name(rows.text(1));
    record.sm_count = rows.integer(2);
    record.memory_bytes = rows.integer(3);
    record.compute_major = rows.integer(4);
    record.compute_minor = rows.integer(5);
  }
  for (const int64_t number : devices_) {
    log::Device record = known[number];
    record.device = number;
    record.rank = -1;
    writer_.append(record);
  }
}

}  // namespace tauprof::nsys
