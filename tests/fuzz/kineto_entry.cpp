// Feeds arbitrary bytes to the importer of PyTorch traces: as a whole file (text or gzip), and as the events of an
// otherwise sound trace.
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "import/file_import.h"

namespace {

using tauprof::kineto::FileJob;
using tauprof::kineto::FileOutcome;

// Files of this process, in memory if the system has a file system for that.
std::string scratch(std::string_view name) {
  static const std::string folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  return folder + "/tauprof-fuzz-" + std::to_string(getpid()) + "-" + std::string(name);
}

// Aborts if a successful import leaves no log, or a failed one leaves a log.
void import_bytes(std::string_view bytes) {
  FileJob job;
  job.source = scratch("trace");
  job.log = scratch("log");
  std::ofstream(job.source, std::ios::binary) << bytes;
  const FileOutcome outcome = import_file(job);
  std::error_code error;
  if (outcome.is_imported != std::filesystem::exists(job.log, error)) abort();
  if (!outcome.is_imported && outcome.messages.empty()) abort();
  std::filesystem::remove(job.log, error);
  std::filesystem::remove(job.source, error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  import_bytes(bytes);
  import_bytes("{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}, " + std::string(bytes) +
               ", {\"ph\": \"X\", \"name\": \"b\", \"ts\": 2, \"dur\": 1}]}");
  return 0;
}
