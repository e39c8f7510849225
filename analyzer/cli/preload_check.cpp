#include "cli/preload_check.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

namespace tauprof {
namespace {

constexpr int kMostInterpreters = 5;  // as many as the kernel follows
constexpr size_t kLongestScriptLine = 256;

#if defined(__x86_64__)
constexpr Elf64_Half kOwnMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kOwnMachine = EM_AARCH64;
#endif

bool is_regular_file(const std::string& path) {
  struct stat facts;
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

PreloadCheck find_command(const std::string& command, const std::string& search_path, std::string& path) {
  std::string unusable;
  if (command.find('/') != command.npos) {
    path = command;
    struct stat facts;
    if (stat(path.c_str(), &facts) != 0) return {PreloadEffect::kNotFound, path + ": " + std::strerror(errno)};
    if (S_ISREG(facts.st_mode) && access(path.c_str(), X_OK) == 0) return {};
    return {PreloadEffect::kCannotRun, path + (S_ISREG(facts.st_mode) ? ": not executable" : ": not a file")};
  }
  for (size_t start = 0; start <= search_path.size();) {
    const size_t end = std::min(search_path.find(':', start), search_path.size());
    const std::string folder = search_path.substr(start, end - start);
    path = (folder.empty() ? "." : folder) + "/" + command;
    if (is_regular_file(path) && access(path.c_str(), X_OK) == 0) return {};
    if (is_regular_file(path)) unusable = path;
    start = end + 1;
  }
  if (!unusable.empty()) return {PreloadEffect::kCannotRun, unusable + ": not executable"};
  return {PreloadEffect::kNotFound, command + ": no such command in PATH"};
}

// The interpreter that "#!" names; empty: the file is no script.
std::string interpreter_of(std::ifstream& file) {
  std::string line(kLongestScriptLine, '\0');
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(file.gcount()));
  file.clear();
  if (line.compare(0, 2, "#!") != 0) return {};
  line = line.substr(2, line.find('\n') == line.npos ? line.npos : line.find('\n') - 2);
  const size_t start = line.find_first_not_of(" \t");
  if (start == line.npos) return {};
  return line.substr(start, line.find_first_of(" \t\r", start) - start);
}

template <class Value>
bool read_at(std::ifstream& file, uint64_t offset, Value& value) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof value));
}

// The dynamic loader of an executable; empty: it is statically linked.
std::string loader_of(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + uint64_t{i} * header.e_phentsize, segment)) break;
    if (segment.p_type != PT_INTERP) continue;
    std::string loader(std::min<uint64_t>(segment.p_filesz, 4096), '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(loader.data(), static_cast<std::streamsize>(loader.size()));
    return loader.c_str();
  }
  return {};
}

PreloadCheck check_executable(const std::string& path, std::ifstream& file) {
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return {};  // execvp runs it with a shell
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kOwnMachine)
    return {PreloadEffect::kNotHere, path + ": built for another kind of processor than the library"};
  const std::string loader = loader_of(file, header);
  if (loader.empty()) return {PreloadEffect::kNotHere, path + ": statically linked, so nothing can be preloaded"};
  if (loader.find("ld-musl") != loader.npos)
    return {PreloadEffect::kBreaks, path + ": linked with musl, but the library needs glibc"};
  return {};
}

PreloadCheck check_privileges(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) != 0) return {};
  if ((facts.st_mode & S_ISUID) != 0 && facts.st_uid != getuid())
    return {PreloadEffect::kIgnored, path + ": setuid, so the loader ignores the preload"};
  if ((facts.st_mode & S_ISGID) != 0 && (facts.st_mode & S_IXGRP) != 0 && facts.st_gid != getgid())
    return {PreloadEffect::kIgnored, path + ": setgid, so the loader ignores the preload"};
  if (getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
    return {PreloadEffect::kIgnored, path + ": has file capabilities, so the loader ignores the preload"};
  return {};
}

}  // namespace

PreloadCheck check_preload(const std::string& command, const std::string& search_path) {
  std::string path;
  if (PreloadCheck found = find_command(command, search_path, path); found.effect != PreloadEffect::kLoads)
    return found;
  for (int depth = 0; depth < kMostInterpreters; ++depth) {
    std::ifstream file(path, std::ios::binary);
    const std::string interpreter = interpreter_of(file);
    if (interpreter.empty()) {
      const PreloadCheck privileges = check_privileges(path);
      return privileges.effect == PreloadEffect::kLoads ? check_executable(path, file) : privileges;
    }
    if (!is_regular_file(interpreter))
      return {PreloadEffect::kNotFound, path + ": its interpreter " + interpreter + " does not exist"};
    path = interpreter;
  }
  return {};
}

}  // namespace tauprof
