// The way to change an input of targets that read logs.
#include <cstdint>
#include <cstring>

#include "fuzz/log_mutation.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  tauprof::Random random(seed);
  const tauprof::ByteVector changed = tauprof::mutated_logs({data, data + size}, random, most);
  memcpy(data, changed.data(), changed.size());
  return changed.size();
}
