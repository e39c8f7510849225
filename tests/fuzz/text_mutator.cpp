// The way to change an input of targets that read texts.
#include <cstdint>
#include <cstring>

#include "fuzz/text_mutation.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  tauprof::Random random(seed);
  const std::string changed = tauprof::mutated_text({reinterpret_cast<const char*>(data), size}, random, most);
  memcpy(data, changed.data(), changed.size());
  return changed.size();
}
