// A small log with every kind of record and the whole range of values, and the rows in it. It made the fixture of
// version 1; tests of damage and of round trips write it anew.
#pragma once

#include <string>
#include <vector>

#include "format/decoded_log.h"
#include "log/writer.h"

namespace tauprof {

// Rows in the order in which a single flush writes them, the end record last.
std::vector<DecodedRow> sample_rows();

// One flush for all rows, or one after each row, which makes a block of each.
enum class Flushes { kOnce, kEachRow };
void write_sample_log(const std::string& path, Flushes flushes);

log::FileHeader sample_header();

// Adds a row of any kind but string.
bool append_row(log::Writer& writer, const DecodedRow& row);

}  // namespace tauprof
