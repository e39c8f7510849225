// Unpacks the bytes of one column. A function returns true only if the bytes hold exactly what was asked for: no value
// missing, no byte left over, no number beyond 64 bits.
#pragma once

#include <cstdint>

#include "read/file_window.h"

namespace tauprof {

bool decode_constant(Bytes bytes, int64_t& value);
bool decode_plain(Bytes bytes, uint32_t rows, int64_t* values);
bool decode_delta(Bytes bytes, uint32_t rows, int64_t* values);

// `ends[row]`: where the text of that row ends in `text`; it starts where the one before it ends.
bool decode_texts(Bytes bytes, uint32_t rows, uint32_t* ends, Bytes& text);

}  // namespace tauprof
