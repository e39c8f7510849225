// Bit masks over 64 bytes of JSON text: bit i says what byte i is. x86-64 always has SSE2; the portable version works
// on 8 bytes at a time in an ordinary register.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tauprof::kineto {

inline constexpr size_t kBlockBytes = 64;

struct BlockMasks {
  uint64_t quotes = 0;
  uint64_t backslashes = 0;
  uint64_t opens = 0;     // { and [
  uint64_t closes = 0;    // } and ]
  uint64_t controls = 0;  // below the space: not allowed inside strings
};

// Bit i of the result: whether byte i of `word` is zero.
inline uint64_t zero_bytes(uint64_t word) {
  constexpr uint64_t kLow7 = 0x7f7f7f7f7f7f7f7f;
  const uint64_t high_bits = ~(((word & kLow7) + kLow7) | word | kLow7);
  return (high_bits * 0x0002040810204081) >> 56;
}

inline BlockMasks portable_masks(const char* text) {
  static_assert(std::endian::native == std::endian::little, "bit i must be byte i");
  constexpr uint64_t kEach = 0x0101010101010101;
  BlockMasks masks;
  for (size_t i = 0; i < kBlockBytes; i += 8) {
    uint64_t word;
    memcpy(&word, text + i, 8);
    const uint64_t folded = word | (kEach * 0x20);  // [ becomes {, ] becomes }
    masks.quotes |= zero_bytes(word ^ (kEach * '"')) << i;
    masks.backslashes |= zero_bytes(word ^ (kEach * '\\')) << i;
    masks.opens |= zero_bytes(folded ^ (kEach * '{')) << i;
    masks.closes |= zero_bytes(folded ^ (kEach * '}')) << i;
    masks.controls |= zero_bytes(word & (kEach * 0xe0)) << i;
  }
  return masks;
}

#if defined(__SSE2__)
inline BlockMasks block_masks(const char* text) {
  const auto bits = [](__m128i matches) {
    return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(matches)));
  };
  BlockMasks masks;
  for (size_t i = 0; i < kBlockBytes; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    masks.quotes |= bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'))) << i;
    masks.backslashes |= bits(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))) << i;
    masks.opens |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{'))) << i;
    masks.closes |= bits(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))) << i;
    masks.controls |= bits(_mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes)) << i;
  }
  return masks;
}
#else
inline BlockMasks block_masks(const char* text) { return portable_masks(text); }
#endif

// Bit i of the result: the parity of bits 0…i. Applied to quotes, it marks the insides of strings.
inline uint64_t parity_prefix(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

// Follows strings through consecutive blocks.
class StringState {
 public:
  // The bytes of the block that are inside a string, including its opening quote.
  uint64_t inside(const BlockMasks& masks) {
    const uint64_t quotes = masks.quotes & ~escaped(masks.backslashes);
    const uint64_t inside_bits = parity_prefix(quotes) ^ carry_;
    carry_ = static_cast<uint64_t>(static_cast<int64_t>(inside_bits) >> 63);
    return inside_bits;
  }

 private:
  // The bytes that a backslash escapes. Backslashes are rare, so they are taken one at a time.
  uint64_t escaped(uint64_t backslashes) {
    uint64_t result = escape_carry_;
    backslashes &= ~escape_carry_;
    escape_carry_ = 0;
    while (backslashes != 0) {
      const uint64_t backslash = backslashes & -backslashes;
      const uint64_t next = backslash << 1;
      if (next == 0) escape_carry_ = 1;
      result |= next;
      backslashes &= ~(backslash | next);
    }
    return result;
  }

  uint64_t carry_ = 0;         // all ones: the previous block ended inside a string
  uint64_t escape_carry_ = 0;  // 1: the previous block ended with a lone backslash
};

}  // namespace tauprof::kineto
