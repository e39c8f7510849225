// Runs a piece of a test on several ranks, each a process of its own.
//
// The test's own process never touches CUDA: it starts this program once for each rank, which then runs the body of the
// given name instead of the tests. On a machine with fewer GPUs than ranks the test is skipped.
#pragma once

#include <string>
#include <vector>

class RankProcesses {
 public:
  // Expects that all ranks run the body without a failed check, but for those in `killed`, which kill themselves.
  static void run(const std::string& body, int ranks, const std::vector<int>& killed = {});
};

// What a body knows.
struct RankPlace {
  int rank = 0;
  int ranks = 1;
  std::string folder;  // shared by the ranks

  // Tell each other that something has happened, beside NCCL.
  void announce(const std::string& what) const;
  void await(const std::string& what) const;
  bool is_announced(const std::string& what) const;
};

using RankBody = void (*)(const RankPlace&);

struct RankBodyRegistration {
  RankBodyRegistration(const char* name, RankBody body);
};
