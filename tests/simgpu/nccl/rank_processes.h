// Runs the body of a test on several ranks, each in its own process.
//
// The test's process never uses CUDA. It starts this program once per rank; each of these runs the named body instead
// of the tests. If the machine has fewer GPUs than ranks, the test is skipped.
#pragma once

#include <string>
#include <vector>

class RankProcesses {
 public:
  // Expects that all ranks run the body without a failed check, except those in `killed`, which kill themselves.
  static void run(const std::string& body, int ranks, const std::vector<int>& killed = {});
};

// A body's rank, and its way to signal the other ranks.
struct RankPlace {
  int rank = 0;
  int ranks = 1;
  std::string folder;  // shared by the ranks

  // Signals between ranks, independent of NCCL.
  void announce(const std::string& what) const;
  void await(const std::string& what) const;
  bool is_announced(const std::string& what) const;
};

using RankBody = void (*)(const RankPlace&);

struct RankBodyRegistration {
  RankBodyRegistration(const char* name, RankBody body);
};
