// Packs the columns of a block: picks the encoding, writes column header and bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"
#include "log/raw_array.h"
#include "log/text_store.h"

namespace tauprof::log {

// Appends the column to `payload` and counts it in `columns`. A column of zeros is left out: that
// is what readers see in a missing one. Equal values are stored once; `hint` decides the rest.
// False when memory is short.
bool encode_column(uint16_t number, Encoding hint, const int64_t* values, uint32_t rows, ByteArray& payload,
                   uint16_t& columns);

bool encode_texts(const Text* texts, uint32_t rows, ByteArray& payload, uint16_t& columns);

}  // namespace tauprof::log
