// The names in the log's record table: kinds, columns, and what the numbers in a column stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "log/format.h"

namespace tauprof {

// Empty, or 0, for a kind or column that this version does not know.
std::string_view record_name(log::RecordKind kind);
uint16_t column_count(log::RecordKind kind);
std::string_view column_name(log::RecordKind kind, uint16_t column);

std::optional<log::RecordKind> record_kind_named(std::string_view name);
std::vector<std::string> record_names();  // of all kinds, in their order

// Whether the values of the column are ids of texts.
bool holds_texts(log::RecordKind kind, uint16_t column);

// The name of a value in a column that holds an enumeration; empty for other columns and unknown values.
std::string_view value_name(log::RecordKind kind, uint16_t column, int64_t value);

std::string_view clock_name(uint32_t clock);
std::string_view gap_scope_name(int64_t scope);

}  // namespace tauprof
