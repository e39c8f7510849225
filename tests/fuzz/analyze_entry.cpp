// Feeds the logs of a job to every command that reads logs: analyze with both reports, check, dump.
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "fuzz/log_set.h"
#include "model/terminal_text.h"
#include "pipeline/analyze_run.h"
#include "report/json_documents.h"
#include "report/sections.h"
#include "report/text_documents.h"

namespace tauprof {
namespace {

// A folder of this process, in memory if the system has a file system for that.
std::filesystem::path folder() {
  const char* const where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  return std::filesystem::path(where) / ("tauprof-fuzz-logs-" + std::to_string(getpid()));
}

// Aborts where a report holds what a terminal would obey.
void check_text(const std::string& text) {
  if (terminal_lines(text) != text) abort();
}

void analyze(const std::string& path) {
  AnalysisOptions options;
  options.paths = {path};
  Report report;
  std::vector<std::string> notes;
  if (!analyze_run(options, report, notes).is_ok()) return;
  check_text(text_report(report));
  TextStyle whole;
  for (const ReportSection& section : sections()) whole.sections.emplace_back(section.name);
  check_text(text_report(report, whole));
  check_text(json_report(report));
}

void run_command(const std::string& name, const std::string& file) {
  CommandLine line("tauprof", "", "");
  add_check_command(line);
  add_dump_command(line);
  line.run({name, file});
}

void read_all(const std::vector<ByteVector>& logs) {
  const std::filesystem::path directory = folder();
  std::filesystem::create_directory(directory);
  std::vector<std::string> files;
  for (const ByteVector& log : logs) {
    files.push_back(directory / ("rank-" + std::to_string(files.size()) + ".tauprof"));
    std::ofstream(files.back(), std::ios::binary)
        .write(reinterpret_cast<const char*>(log.data()), static_cast<std::streamsize>(log.size()));
  }
  analyze(directory);
  run_command("check", directory);
  for (const std::string& file : files) run_command("dump", file);
  std::error_code error;
  std::filesystem::remove_all(directory, error);
}

}  // namespace
}  // namespace tauprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<tauprof::ByteVector> logs = tauprof::split_logs({data, data + size});
  for (tauprof::ByteVector& log : logs) tauprof::reseal(log);
  tauprof::read_all(logs);
  return 0;
}
