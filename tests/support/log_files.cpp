// The part of LogObserver that opens and closes the files and writes the records of each process.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "log_observer.h"

namespace tauprof::generator {

Status LogObserver::open(const std::string& directory) {
  for (int process = 0; process < static_cast<int>(processes_.size()); ++process) {
    if (std::find(spec_.missing.begin(), spec_.missing.end(), process) != spec_.missing.end()) continue;
    if (Status status = open_process(directory, process); !status.is_ok()) return status;
    write_process(process);
  }
  return Status::ok();
}

Status LogObserver::open_process(const std::string& directory, int process) {
  const int rank = process * spec_.devices_per_process;  // its first rank
  ProcessLog& process_log = processes_[process];
  char name[32];
  snprintf(name, sizeof name, "rank-%05d%s", rank, log::kFileSuffix);
  process_log.path = directory + "/" + name;
  process_log.offset = value_for(spec_.clock_offsets, rank, 0);
  process_log.drift_ppb = value_for(spec_.clock_drifts, rank, 0);
  process_log.writer = std::make_unique<log::Writer>();
  log::FileHeader header{};
  header.clock = static_cast<uint32_t>(log::Clock::kVirtual);
  header.start_time_ns = process_log.at(kStart);
  header.start_realtime_ns = 1'700'000'000'000'000'000 + value_for(spec_.wall_clocks, rank, 0);
  header.pid = static_cast<uint32_t>(1000 + process);
  memset(header.boot_id, 1 + host_of(rank) % 255, sizeof header.boot_id);
  header.boot_id[0] = static_cast<uint8_t>(1 + host_of(rank) / 255);
  snprintf(header.run_id, sizeof header.run_id, "generated-%llu", static_cast<unsigned long long>(spec_.seed));
  snprintf(header.host, sizeof header.host, "node%d", host_of(rank));
  if (process_log.writer->open(process_log.path.c_str(), header)) return Status::ok();
  return Status::error(process_log.path + ": " + strerror(process_log.writer->error()) +
                       "; give an existing folder without logs");
}

void LogObserver::write_process(int process) {
  ProcessLog& process_log = processes_[process];
  const std::pair<const char*, const char*> attributes[] = {{"source", "preload"}, {"command", "generated job"}};
  for (const auto& [name, value] : attributes) {
    log::Attribute attribute;
    attribute.name = intern(process_log, name);
    attribute.value = intern(process_log, value);
    process_log.writer->append(attribute);
  }
  const int first = process * spec_.devices_per_process;
  log::Process record;
  record.rank = spec_.devices_per_process == 1 ? first : -1;
  record.world_size = spec_.ranks;
  record.local_rank = device_of(first);
  record.local_world_size = ranks_per_host(spec_);
  process_log.writer->append(record);
  for (int rank = first; rank < first + spec_.devices_per_process; ++rank) {
    write_device(rank);
    write_communicators(rank);
  }
}

void LogObserver::write_device(int rank) {
  ProcessLog& process_log = log_of(rank);
  log::Device device;
  device.device = device_of(rank);
  device.rank = spec_.devices_per_process == 1 ? -1 : rank;
  device.name = intern(process_log, "Generated GPU");
  device.sm_count = 132;
  device.memory_bytes = int64_t{80} << 30;
  device.compute_major = 9;
  process_log.writer->append(device);
  for (int index = 0; index < kThreads; ++index) {
    log::Thread thread;
    thread.thread = thread_number(rank, index);
    thread.os_id = 1000 + rank + 100'000 * index;
    thread.name = intern(process_log, thread_name(device_in_process(rank), index));
    thread.is_main = index == kMainThread && device_in_process(rank) == 0;
    process_log.writer->append(thread);
  }
  for (int index = 0; index < kStreams; ++index) {
    log::Stream stream;
    stream.device = device_of(rank);
    stream.context = 1;
    stream.stream = stream_number(index);
    stream.handle = handle(rank, index);
    process_log.writer->append(stream);
  }
}

void LogObserver::write_communicators(int rank) {
  ProcessLog& process_log = log_of(rank);
  for (int role = 0; role < kCommunicatorRoles; ++role) {
    if (role == kTensorParallel && spec_.tensor_parallel == 1) continue;
    if (role >= kPipelineParallel && spec_.pipeline == 1) continue;
    if (role == kNextStage && !spec_.has_pair_communicators) continue;
    const Communicator& shape = communicators_.of(rank, role);
    if (role >= kPipelineParallel && shape.members.size() == 1) continue;
    std::string members;
    for (int member : shape.members) members.append(members.empty() ? "" : ",").append(std::to_string(member));
    log::Communicator communicator;
    communicator.communicator = communicator_key(rank, role);
    communicator.identity = shape.hash();
    communicator.size = static_cast<int64_t>(shape.members.size());
    communicator.rank = shape.index_of(rank);
    communicator.device = device_of(rank);
    communicator.name = intern(process_log, shape.identity);
    communicator.members = intern(process_log, members);
    process_log.writer->append(communicator);
  }
}

Status LogObserver::close() {
  for (ProcessLog& process_log : processes_) {
    if (!process_log.writer) continue;
    if (!process_log.writer->close(process_log.at(process_log.last_time), "exit")) {
      return Status::error(process_log.path + ": " + strerror(process_log.writer->error()));
    }
  }
  return Status::ok();
}

uint64_t LogObserver::bytes_written() const {
  uint64_t bytes = 0;
  for (const ProcessLog& process_log : processes_)
    bytes += process_log.writer ? process_log.writer->bytes_written() : 0;
  return bytes;
}

}  // namespace tauprof::generator
