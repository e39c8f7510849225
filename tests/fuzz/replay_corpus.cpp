// Runs a fuzz target without libFuzzer: on every file of a corpus, and on truncated and changed copies of each, which
// are the same in every run.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "fuzz/silence.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

void run(const Input& input) { LLVMFuzzerTestOneInput(input.data(), input.size()); }

void run_changed(const Input& input, unsigned times) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < times && !input.empty(); ++i) {
    Input changed = input;
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
      changed[random() % changed.size()] = static_cast<uint8_t>(random());
    if (i % 4 == 0) changed.resize(random() % changed.size());
    run(changed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr unsigned kChangesPerFile = 500;
  if (argc != 2) {
    fprintf(stderr, "usage: %s CORPUS\n", argv[0]);
    return 2;
  }
  FILE* const out = fdopen(dup(STDOUT_FILENO), "w");
  tauprof::silence();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    const Input input{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    run(input);
    run_changed(input, kChangesPerFile);
  }
  fprintf(out, "%zu inputs\n", files.size());
  fclose(out);
  return files.empty() ? 1 : 0;
}
