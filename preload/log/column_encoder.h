// Packs the columns of a block: chooses the encoding, writes the column header and the bytes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"
#include "log/raw_array.h"
#include "log/text_store.h"

namespace tauprof::log {

// Appends the column to `payload` and counts it in `columns`. Leaves out a column of zeros, because readers read zeros
// from a missing column. Stores equal values once; otherwise `hint` is the encoding. False: memory is short.
bool encode_column(uint16_t number, Encoding hint, const int64_t* values, uint32_t rows, ByteArray& payload,
                   uint16_t& columns);

bool encode_texts(const Text* texts, uint32_t rows, ByteArray& payload, uint16_t& columns);

}  // namespace tauprof::log
