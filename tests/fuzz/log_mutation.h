// Changes what logs claim: values, rows, blocks, texts, whole logs. The result passes every checksum, so a reader
// believes it until it judges the numbers themselves.
#pragma once

#include <cstddef>

#include "fuzz/log_set.h"
#include "fuzz/random_choice.h"

namespace tauprof {

// One to a few changes. The result is never larger than `most_bytes`.
void mutate_logs(LogSet& logs, Random& random, size_t most_bytes);

// The same on bytes; some results get damaged bytes, too, behind right checksums.
ByteVector mutated_logs(const ByteVector& bytes, Random& random, size_t most_bytes);

}  // namespace tauprof
