// Writes FOLDER/fixture-vN.tauprof and .txt for the current version N of the log, to be run once, before the release of
// that version. Fixtures of released versions are never written again.
#include <cstdio>
#include <fstream>
#include <string>

#include "format/decoded_log.h"
#include "format/sample_log.h"

int main(int argc, char** argv) {
  using namespace tauprof;
  if (argc != 2) {
    fprintf(stderr, "usage: write_fixture FOLDER\n");
    return 2;
  }
  const std::string stem = std::string(argv[1]) + "/fixture-v" + std::to_string(log::kVersion);
  write_sample_log(stem + ".tauprof", Flushes::kOnce);
  std::ofstream expected(stem + ".txt");
  for (DecodedRow row : sample_rows()) {
    std::string hex;
    for (const unsigned char c : row.text) hex += "0123456789abcdef"[c >> 4], hex += "0123456789abcdef"[c & 15];
    row.text = hex;
    expected << describe(row) << '\n';
  }
  return expected.good() ? 0 : 1;
}
