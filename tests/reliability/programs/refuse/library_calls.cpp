#include "library_calls.h"

#include <fcntl.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include "stack_walk.h"

namespace refuse {
namespace {

enum class Owner { kRecorder, kSystem, kOther };

// A part of a file that is mapped, or of no file.
struct Mapping {
  uint64_t start, end;
  uint64_t object;  // where the file starts in memory
  Owner owner;
  bool is_code;
};

std::string path_of(pid_t thread, const char* file) { return "/proc/" + std::to_string(thread) + "/" + file; }

Owner owner_of(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  if (std::strncmp(name, "libtauprof.so", 13) == 0) return Owner::kRecorder;
  for (const char* system : {"libc.so", "libc-", "ld-linux", "ld-", "libpthread", "libdl", "[vdso]"})
    if (std::strncmp(name, system, std::strlen(system)) == 0) return Owner::kSystem;
  return Owner::kOther;
}

std::vector<Mapping> mappings_of(pid_t thread) {
  std::vector<Mapping> mappings;
  std::ifstream file(path_of(thread, "maps"));
  uint64_t object = 0;
  for (std::string line; std::getline(file, line);) {
    uint64_t start, end, offset;
    char rights[5];
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &start, &end, rights, &offset,
                    &path) < 4)
      continue;
    if (offset == 0) object = start;
    mappings.push_back({start, end, object, owner_of(line.c_str() + path), rights[2] == 'x'});
  }
  return mappings;
}

const Mapping* find(const std::vector<Mapping>& mappings, uint64_t address) {
  for (const Mapping& mapping : mappings)
    if (mapping.start <= address && address < mapping.end) return &mapping;
  return nullptr;
}

// False: the thread does not wait in a system call any more.
bool read_position(pid_t thread, Frame& frame) {
  std::ifstream file(path_of(thread, "syscall"));
  std::string line;
  uint64_t stack_pointer, instruction;
  if (!std::getline(file, line) ||
      std::sscanf(line.c_str(), "%*s %*s %*s %*s %*s %*s %*s %" SCNx64 " %" SCNx64, &stack_pointer, &instruction) != 2)
    return false;
  frame.registers[Frame::kStackPointer] = stack_pointer;
  frame.registers[Frame::kInstruction] = instruction;
  return true;
}

bool has_our_name(pid_t thread) { return name_of(thread).rfind("tauprof", 0) == 0; }

}  // namespace

std::string name_of(pid_t thread) {
  std::ifstream file(path_of(thread, "comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

bool is_call_of_recorder(pid_t thread) {
  const std::vector<Mapping> mappings = mappings_of(thread);
  bool has_recorder = false;
  for (const Mapping& mapping : mappings) has_recorder |= mapping.owner == Owner::kRecorder;
  Frame frame;
  if (!has_recorder || !read_position(thread, frame)) return false;
  const int file = open(path_of(thread, "mem").c_str(), O_RDONLY | O_CLOEXEC);
  const Memory memory(file);
  constexpr int kMostFrames = 60;
  Step step = Step::kCaller;
  bool is_recorder = false, is_known = false;
  for (int i = 0; i < kMostFrames && step == Step::kCaller; ++i) {
    const Mapping* const mapping = find(mappings, frame.instruction());
    if (mapping == nullptr || mapping->owner != Owner::kSystem) {
      is_recorder = mapping != nullptr && mapping->owner == Owner::kRecorder;
      is_known = true;
      break;
    }
    step = step_to_caller(memory, mapping->object, i == 0, frame);
  }
  close(file);
  return is_known ? is_recorder : has_our_name(thread);
}

}  // namespace refuse
