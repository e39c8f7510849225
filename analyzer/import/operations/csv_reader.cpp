#include "import/operations/csv_reader.h"

#include <cstring>

namespace tauprof {

bool CsvReader::next(std::vector<std::string_view>& fields) {
  while (read_record(fields))
    if (fields.size() > 1 || !fields.front().empty()) return true;
  return false;
}

// A record that is not in the buffer as a whole is read again once it is.
bool CsvReader::read_record(std::vector<std::string_view>& fields) {
  while (true) {
    record_ = position_;
    fields.clear();
    unquoted_.clear();
    if (read_plain_line(fields)) return true;
    Outcome outcome = position_ == size_ ? Outcome::kNeedsMore : Outcome::kField;
    while (outcome == Outcome::kField) {
      std::string_view field;
      outcome = read_field(field);
      fields.push_back(field);
    }
    if (outcome == Outcome::kLastField) return true;
    if (!refill()) return false;
  }
}

// The common case in one loop: a whole line without quotes. Otherwise changes nothing but the fields.
bool CsvReader::read_plain_line(std::vector<std::string_view>& fields) {
  const char* const end = text_.data() + size_;
  const char* start = text_.data() + position_;
  for (const char* at = start; at != end; ++at) {
    if (*at > ',') continue;
    if (*at == ',' || *at == '\n') {
      fields.emplace_back(start, at - start);
      start = at + 1;
    }
    if (*at == '"' || *at == '\r') break;
    if (*at == '\n') {
      position_ = static_cast<size_t>(start - text_.data());
      return true;
    }
  }
  fields.clear();
  return false;
}

CsvReader::Outcome CsvReader::read_field(std::string_view& field) {
  if (position_ < size_ && text_[position_] == '"') return read_quoted(field);
  size_t end = position_;
  while (end < size_ && text_[end] != ',' && text_[end] != '\n') ++end;
  field = {text_.data() + position_, end - position_};
  if ((end == size_ || text_[end] == '\n') && field.ends_with('\r')) field.remove_suffix(1);
  return finish_field(end);
}

CsvReader::Outcome CsvReader::read_quoted(std::string_view& field) {
  std::string& text = unquoted_.emplace_back();
  size_t end = position_ + 1;
  for (; end < size_; ++end) {
    if (text_[end] == '"') {
      if (end + 1 == size_ && !is_at_end_) return Outcome::kNeedsMore;
      if (end + 1 == size_ || text_[end + 1] != '"') break;
      ++end;
    }
    text += text_[end];
  }
  if (end == size_ && !is_at_end_) return Outcome::kNeedsMore;
  if (end < size_) ++end;  // the closing quote
  while (end < size_ && text_[end] != ',' && text_[end] != '\n') {
    if (text_[end] != '\r') text += text_[end];
    ++end;
  }
  field = text;
  return finish_field(end);
}

CsvReader::Outcome CsvReader::finish_field(size_t end) {
  if (end == size_ && !is_at_end_) return Outcome::kNeedsMore;
  const bool is_last = end == size_ || text_[end] == '\n';
  position_ = end == size_ ? end : end + 1;
  return is_last ? Outcome::kLastField : Outcome::kField;
}

// More text behind the current record, which moves to the front. False if there is no more, or if the record does not
// fit.
bool CsvReader::refill() {
  if (is_at_end_) return false;
  memmove(text_.data(), text_.data() + record_, size_ - record_);
  size_ -= record_;
  position_ = record_ = 0;
  if (size_ == text_.size()) {
    status_ = Status::error("a line is longer than 1 MiB");
    return false;
  }
  const size_t got = source_->read(text_.data() + size_, text_.size() - size_);
  size_ += got;
  if (got > 0) return true;
  is_at_end_ = true;
  status_ = source_->status();
  return status_.is_ok() && size_ > 0;
}

}  // namespace tauprof
