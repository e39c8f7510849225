#include "read/decoded_block.h"

#include <cstring>

namespace tauprof {

template <class T>
T* DecodedBlock::Buffer<T>::grow(size_t size) {
  if (size > capacity) {
    values.reset(new T[size]);
    capacity = size;
  }
  return values.get();
}

uint8_t* DecodedBlock::raw(uint32_t size) { return raw_.grow(size); }

void DecodedBlock::forget(uint16_t columns) {
  if (columns_.size() < columns) {
    columns_.resize(columns);
    constants_.resize(columns);
    values_.resize(columns);
  }
  columns_.assign(columns_.size(), kMissing);
  is_present_.assign(columns_.size(), false);
  has_text_ = false;
}

std::string_view DecodedBlock::text(uint32_t row) const {
  if (!has_text_) return {};
  const uint32_t start = row == 0 ? 0 : text_ends_.values[row - 1];
  return {reinterpret_cast<const char*>(text_.data) + start, text_ends_.values[row] - start};
}

const char* DecodedBlock::decode(const log::BlockHeader& header, uint16_t known_columns) {
  forget(known_columns);
  rows_ = header.records;
  const uint8_t* p = raw_.values.get();
  size_t left = header.raw_size;
  for (uint16_t i = 0; i < header.columns; ++i) {
    log::ColumnHeader column;
    if (left < sizeof column) return "there are fewer columns than the header says";
    memcpy(&column, p, sizeof column);
    p += sizeof column;
    left -= sizeof column;
    if (column.size > left) return "a column is longer than its block";
    const char* what = nullptr;
    if (column.column == log::kTextColumn) {
      what = decode_text_column(column, {p, column.size});
    } else if (column.column < known_columns) {
      what = decode_column(column, {p, column.size});
    }
    if (what != nullptr) return what;
    p += column.size;
    left -= column.size;
  }
  return left == 0 ? nullptr : "bytes are left over after the columns";
}

const char* DecodedBlock::decode_column(const log::ColumnHeader& header, Bytes bytes) {
  const uint16_t number = header.column;
  if (is_present_[number]) return "a column comes twice";
  is_present_[number] = true;
  bool fits = false;
  if (header.encoding == static_cast<uint8_t>(log::Encoding::kConstant)) {
    columns_[number] = {&constants_[number], 0};
    fits = decode_constant(bytes, constants_[number]);
  } else {
    int64_t* const values = values_[number].grow(rows_);
    columns_[number] = {values, 1};
    if (header.encoding == static_cast<uint8_t>(log::Encoding::kPlain)) {
      fits = decode_plain(bytes, rows_, values);
    } else if (header.encoding == static_cast<uint8_t>(log::Encoding::kDelta)) {
      fits = decode_delta(bytes, rows_, values);
    } else {
      return "a column has an encoding that this version of the log does not know";
    }
  }
  return fits ? nullptr : "a column does not hold one value for each record";
}

const char* DecodedBlock::decode_text_column(const log::ColumnHeader& header, Bytes bytes) {
  if (header.encoding != static_cast<uint8_t>(log::Encoding::kText) || has_text_) return "the texts make no sense";
  has_text_ = decode_texts(bytes, rows_, text_ends_.grow(rows_), text_);
  return has_text_ ? nullptr : "the texts do not fit their lengths";
}

}  // namespace tauprof
