// A block of records of one kind, as the log reader hands it out.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "log/format.h"
#include "read/column.h"

namespace tauprof {

class DecodedBlock;

// Valid until the next LogReader::next() on it.
class RecordBlock {
 public:
  log::RecordKind kind() const { return kind_; }
  uint32_t records() const { return records_; }
  bool is_recap() const { return recap_; }  // repeats state from earlier blocks

  template <class Record>
  Column column(int64_t Record::*field) const {
    static constexpr Record kZero{};
    const auto position = reinterpret_cast<const char*>(&(kZero.*field)) - reinterpret_cast<const char*>(&kZero);
    return column(static_cast<uint16_t>(position / sizeof(int64_t)));
  }
  Column column(uint16_t number) const;
  std::string_view text(uint32_t row) const;  // of string records

 private:
  friend class LogReader;
  log::RecordKind kind_ = log::RecordKind::kNone;
  uint32_t records_ = 0;
  bool recap_ = false;
  std::shared_ptr<DecodedBlock> decoded_;
};

}  // namespace tauprof
