// One thing that the user imagines different in a run, as `tauprof whatif` reads it from its options (docs/whatif.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/repair_words.h"

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
    kSpeed,    // the subject takes 1 / factor of its time
    kWithout,  // … none
    kLink,     // … what it would on links with another latency and bandwidth
    kBuckets,  // gradients are reduced in buckets of another size; alone in its scenario
    kRepair,   // a cause is taken away, as findings propose it
  };
  Kind kind = Kind::kSpeed;
  std::string text;  // as it was asked: "speed kernel:*gemm*=2x"
  Subject subject;
  double factor = 1;
  double alpha_factor = 1;  // of kLink
  double beta_factor = 1;
  double bucket_mib = 0;
  AskedRepair asked;  // of kRepair
};

// `option`: "speed", "without", "link", "fix" or "fuse-update", with its value. Returns what is wrong with it; empty:
// nothing is.
std::string read_question(std::string_view option, std::string_view value, Question& question);

// What a value of such an option may begin with, and, separated by commas, go on with: "rank:", "stalls".
std::vector<std::string> words_of_question(std::string_view option);

// An option without a value: "as-graph", "tf32" or "aligned".
Question question_of(std::string_view option);

// Sizes of buckets, in MiB: "A..B" doubles from A up to B, and "A" is one. None if it says something else.
std::vector<Question> bucket_questions(std::string_view value);

// The direction of copies, as questions call it; "memset" for those without one.
std::string_view copy_name(log::CopyKind kind);

}  // namespace tauprof
