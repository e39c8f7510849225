// Reads /proc/<pid>/stat.
#include "simgpu/nccl/process_identity.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "simgpu/nccl/hashing.h"

namespace simgpu::nccl {
namespace {

struct ProcessStatus {
  char state = 'X';
  std::uint64_t start_ticks = 0;
};

ProcessStatus read_status(int pid) {
  constexpr int kStateField = 3, kStartField = 22;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  // The second field, the command's name, may contain spaces and parentheses.
  const auto name_end = line.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream rest(line.substr(name_end + 1));
  ProcessStatus status;
  std::string field;
  for (int index = kStateField; index <= kStartField && rest >> field; ++index) {
    if (index == kStateField) status.state = field[0];
    if (index == kStartField) status.start_ticks = std::strtoull(field.c_str(), nullptr, 10);
  }
  return status;
}

}  // namespace

ProcessIdentity this_process() { return {getpid(), read_status(getpid()).start_ticks}; }

bool is_alive(const ProcessIdentity& process) {
  const ProcessStatus status = read_status(process.pid);
  return status.state != 'Z' && status.state != 'X' && status.start_ticks == process.start_ticks;
}

std::uint64_t host_identity() {
  if (const char* id = std::getenv("NCCL_HOSTID"); id && *id) return hash_bytes(id, std::strlen(id));
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  const std::string text = name + boot;
  return hash_bytes(text.data(), text.size());
}

}  // namespace simgpu::nccl
