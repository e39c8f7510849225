#include "read/decoded_block.h"

#include <cstring>

namespace tauprof {

Column RecordBlock::column(uint16_t number) const { return decoded_->column(number); }
std::string_view RecordBlock::text(uint32_t row) const { return decoded_->text(row); }

template <class T>
T* RecordBlock::Decoded::Buffer<T>::grow(size_t size) {
  if (size > capacity) {
    values.reset(new T[size]);
    capacity = size;
  }
  return values.get();
}

uint8_t* RecordBlock::Decoded::raw(uint32_t size) { return raw_.grow(size); }

void RecordBlock::Decoded::forget() {
  columns_.fill(kMissing);
  is_present_.fill(false);
  has_text_ = false;
}

std::string_view RecordBlock::Decoded::text(uint32_t row) const {
  if (!has_text_) return {};
  const uint32_t begin = row == 0 ? 0 : text_ends_.values[row - 1];
  return {reinterpret_cast<const char*>(text_.data) + begin, text_ends_.values[row] - begin};
}

const char* RecordBlock::Decoded::decode(const log::BlockHeader& header, uint16_t known_columns) {
  forget();
  rows_ = header.records;
  const uint8_t* p = raw_.values.get();
  size_t left = header.raw_size;
  for (uint16_t i = 0; i < header.columns; ++i) {
    log::ColumnHeader column;
    if (left < sizeof column) return "the columns end before their number";
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

const char* RecordBlock::Decoded::decode_column(const log::ColumnHeader& header, Bytes bytes) {
  const uint16_t number = header.column;
  if (is_present_[number]) return "a column stands twice";
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
      return "a column has an encoding that this version of the log has not";
    }
  }
  return fits ? nullptr : "a column does not hold one value for each record";
}

const char* RecordBlock::Decoded::decode_text_column(const log::ColumnHeader& header, Bytes bytes) {
  if (header.encoding != static_cast<uint8_t>(log::Encoding::kText) || has_text_) return "the texts make no sense";
  has_text_ = decode_texts(bytes, rows_, text_ends_.grow(rows_), text_);
  return has_text_ ? nullptr : "the texts do not fit their lengths";
}

}  // namespace tauprof
