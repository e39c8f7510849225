// Writes the hostile logs into a folder: a folder for each job.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/hostile_logs.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s DIR\n", argv[0]);
    return 2;
  }
  for (const tauprof::HostileJob& job : tauprof::hostile_jobs()) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / job.name;
    std::filesystem::create_directories(folder);
    for (size_t i = 0; i < job.logs.size(); ++i) {
      const tauprof::ByteVector bytes = tauprof::sealed_log(job.logs[i]);
      std::ofstream(folder / ("rank-" + std::to_string(i) + ".tauprof"), std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  }
  return 0;
}
