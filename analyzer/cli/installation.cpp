#include "cli/installation.h"

#include <spdlog/spdlog.h>

#include <filesystem>
#include <initializer_list>

#include "cli/run_options.h"

#ifndef TAUPROF_LIBDIR
#error "the build defines TAUPROF_LIBDIR"
#endif

namespace tauprof {
namespace {

namespace fs = std::filesystem;

std::string find(const std::string& part, const char* variable, std::initializer_list<const char*> folders,
                 const char* where) {
  std::error_code error;
  if (const std::string named = variable_or(variable, ""); !named.empty()) {
    if (fs::exists(named, error)) return fs::absolute(named).string();
    spdlog::error("{}: {} names no file", named, variable);
    return {};
  }
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* const folder : folders) {
    const fs::path candidate = fs::weakly_canonical(here / folder / part, error);
    if (fs::exists(candidate, error)) return candidate.string();
  }
  spdlog::error("{}: not found beside {}{}; name it in {}", part, here.string(), where, variable);
  return {};
}

}  // namespace

std::string find_in_library_folder(const std::string& part, const char* variable) {
  return find(part, variable, {".", "../" TAUPROF_LIBDIR, "../lib", "../lib64", "../../lib"}, " nor in ../lib");
}

std::string find_program(const std::string& name, const char* variable) {
  return find(name, variable, {".", "../../bin"}, "");
}

}  // namespace tauprof
