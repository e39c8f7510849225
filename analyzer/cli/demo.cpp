// tauprof demo: trains a small transformer under the recorder, on simulated GPUs if need be, and prints the report.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/installation.h"
#include "cli/run_options.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  std::string directory = "tauprof-demo";
  uint64_t ranks = 4;
};

size_t count_gpus() {
  std::error_code error;
  size_t count = 0;
  for (fs::directory_iterator gpu("/proc/driver/nvidia/gpus", error); !error && gpu != fs::directory_iterator();
       gpu.increment(error))
    ++count;
  return count;
}

// Whether the loader would give the program NVIDIA's own libraries; asked of the loader.
bool finds_real_libraries(const std::string& program) {
  setenv("TAUPROF_DEMO_PROGRAM", program.c_str(), 1);
  FILE* const list = popen("exec env LD_TRACE_LOADED_OBJECTS=1 \"$TAUPROF_DEMO_PROGRAM\" 2>&1", "r");
  if (list == nullptr) return false;
  std::string text;
  std::array<char, 4096> part{};
  for (size_t size = 0; (size = fread(part.data(), 1, part.size(), list)) > 0;) text.append(part.data(), size);
  return pclose(list) == 0 && text.find("not found") == text.npos && text.find("/simgpu/") == text.npos;
}

// The command that runs `job` on simulated GPUs, where one of several ranks is slower than its peers. Empty if a part
// of the simulated stack is missing, after saying so.
std::vector<std::string> on_simulated_gpus(const std::vector<std::string>& job, uint64_t ranks) {
  const std::string with_simgpu = find_program("with-simgpu", "TAUPROF_WITH_SIMGPU");
  const std::string costs = find_in_library_folder("tauprof/demo/costs.txt", "TAUPROF_DEMO_COSTS");
  if (with_simgpu.empty() || costs.empty()) return {};
  std::string machine = fmt::format("costs={},data_bytes=65536", costs);
  const uint64_t slow = ranks > 2 ? 2 : ranks - 1;
  if (ranks > 1) machine += fmt::format(",slow={}:1.2", slow);
  spdlog::info("demo: fewer than {} usable GPUs here: training on simulated ones{}", ranks,
               ranks > 1 ? fmt::format("; rank {} computes 20 % slower", slow) : "");
  std::vector<std::string> command = {with_simgpu, "--options", machine, "--"};
  command.insert(command.end(), job.begin(), job.end());
  return command;
}

int demo(const DemoOptions& options) {
  const std::string training = find_in_library_folder("tauprof/demo/training", "TAUPROF_DEMO_TRAINING");
  if (training.empty()) return kWrongUsage;
  RunOptions run;
  run.reports = true;
  run.command = {training,          "--small", "--steps", "20",
                 "--micro-batches", "8",       "--ranks", std::to_string(options.ranks)};
  if (count_gpus() >= options.ranks && finds_real_libraries(training))
    spdlog::info("demo: training on {} of this machine's GPUs", options.ranks);
  else
    run.is_on_simulated_gpus = true;
  if (run.is_on_simulated_gpus) run.command = on_simulated_gpus(run.command, options.ranks);
  if (run.command.empty()) return kWrongUsage;
  setenv("TAUPROF_DIR", options.directory.c_str(), 1);
  return run_recorded(run);
}

}  // namespace

void add_demo_command(CommandLine& line) {
  Command command = line.add("demo", "Train a small transformer under the recorder and print its report");
  const auto options = std::make_shared<DemoOptions>();
  command.option("-o,--output DIR", options->directory, "Log directory (default: ./tauprof-demo)").not_empty();
  command.option("--ranks N", options->ranks, "Train on this many ranks (default: 4)").check([](const std::string& text) {
    const bool is_number = !text.empty() && text.size() < 3 && text.find_first_not_of("0123456789") == text.npos;
    return is_number && text != "0" && text != "00" ? std::string() : "must be 1 to 99";
  });
  command.footer(
      "Runs on the machine's GPUs if there are enough, otherwise on simulated ones.\n"
      "\n"
      "Example: tauprof demo && tauprof analyze tauprof-demo --html report.html");
  command.run([options] { return demo(*options); });
}

}  // namespace tauprof
