// One thing that the user imagines different in a run, as `tauprof whatif` reads it from its options (docs/whatif.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/ledger.h"

namespace tauprof {

// The operations that a question is about. Names are globs.
struct Subject {
  enum class Kind : uint8_t {
    kKernel,         // by name; no kernels of collectives
    kPhase,          // work of the host and the device in it, except collectives
    kOperation,      // collectives and messages, by operation
    kCommunicator,   // the same by the communicator's name
    kCopy,           // copies by direction
    kCommunication,  // all collectives and messages
  };
  Kind kind = Kind::kKernel;
  std::string name;
};

struct Question {
  enum class Kind : uint8_t {
    kSpeed,     // the subject takes 1 / factor of its time
    kWithout,   // … none
    kLink,      // … what it would on links with another latency and bandwidth
    kRow,       // the time of a ledger row is gone, everywhere or on one rank or stage
    kBuckets,   // gradients are reduced in buckets of another size; alone in its scenario
    kAsGraph,   // each step is captured as a CUDA graph (as_graph.h)
    kFixRank,   // the rank is as fast as its peers
    kFixStage,  // the ranks of a pipeline stage are
    kFixLinks,  // the rank's collectives move their data as fast as the same ones elsewhere
  };
  Kind kind = Kind::kSpeed;
  std::string text;  // as it was asked: "speed kernel:*gemm*=2x"
  Subject subject;
  double factor = 1;
  double alpha_factor = 1;  // of kLink
  double beta_factor = 1;
  LedgerRow row = LedgerRow::kCompute;
  int32_t number = -1;          // of the rank or the stage; -1: of all
  bool is_about_stage = false;  // `number` is that of a pipeline stage
  double bucket_mib = 0;
};

// `option`: "speed", "without", "link" or "fix", with its value. Returns what is wrong with it; empty: nothing is.
std::string read_question(std::string_view option, std::string_view value, Question& question);

// Each step of all ranks is one CUDA graph.
Question graph_question();

// Sizes of buckets, in MiB: "A..B" doubles from A up to B, and "A" is one. None if it says something else.
std::vector<Question> bucket_questions(std::string_view value);

// The direction of copies, as questions call it; "memset" for those without one.
std::string_view copy_name(log::CopyKind kind);

}  // namespace tauprof
