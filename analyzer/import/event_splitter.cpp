#include "import/event_splitter.h"

#include <algorithm>

#include "import/block_masks.h"

namespace tauprof::kineto {
namespace {

constexpr size_t kMaxAnchorSpace = 256;
constexpr std::string_view kAnchorKeys[] = {"ph", "cat", "name", "ts", "pid", "tid"};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

size_t skip_space(std::string_view text, size_t position) {
  while (position < text.size() && is_space(text[position])) ++position;
  return position;
}

enum class Match { kNo, kYes, kNeedsMore };

// Whether the `{` at `start` starts an anchor.
Match anchor_at(std::string_view text, size_t start) {
  constexpr size_t kLongest = kMaxAnchorSpace + 16;
  const std::string_view candidate = text.substr(start, 2 * kLongest);
  const Match at_end = candidate.size() < 2 * kLongest ? Match::kNeedsMore : Match::kNo;
  size_t position = skip_space(candidate, 1);
  if (position == candidate.size()) return at_end;
  if (candidate[position] != '"') return Match::kNo;
  const size_t key_end = candidate.substr(0, position + 8).find('"', position + 1);
  if (key_end == std::string_view::npos) return position + 8 < candidate.size() ? Match::kNo : at_end;
  const std::string_view key = candidate.substr(position + 1, key_end - position - 1);
  if (std::find(std::begin(kAnchorKeys), std::end(kAnchorKeys), key) == std::end(kAnchorKeys)) return Match::kNo;
  position = skip_space(candidate, key_end + 1);
  if (position == candidate.size()) return at_end;
  return candidate[position] == ':' ? Match::kYes : Match::kNo;
}

size_t end_of_string(std::string_view text, size_t start) {
  for (size_t position = start + 1; position < text.size(); ++position) {
    if (text[position] == '\\')
      ++position;
    else if (text[position] == '"')
      return position + 1;
  }
  return std::string_view::npos;
}

size_t end_of_brackets(std::string_view text, size_t start) {
  StringState strings;
  int64_t depth = 0;
  for (size_t block = start; block < text.size(); block += kBlockBytes) {
    const BlockMasks masks = block_masks(text.data() + block);
    const uint64_t inside = strings.inside(masks);
    for (uint64_t bits = (masks.opens | masks.closes) & ~inside; bits != 0; bits &= bits - 1) {
      const int bit = std::countr_zero(bits);
      if (block + bit >= text.size()) return std::string_view::npos;
      depth += (masks.opens >> bit & 1) != 0 ? 1 : -1;
      if (depth == 0) return block + bit + 1;
    }
  }
  return std::string_view::npos;
}

}  // namespace

size_t end_of_value(std::string_view text, size_t start) {
  if (start >= text.size()) return std::string_view::npos;
  if (text[start] == '"') return end_of_string(text, start);
  if (text[start] == '{' || text[start] == '[') return end_of_brackets(text, start);
  return text.find_first_of(",]} \n\r\t", start);
}

void SplitResult::clear() {
  events.clear();
  members.clear();
  malformed = 0;
  is_contiguous = true;
}

size_t EventSplitter::split(std::string_view text, bool is_last, SplitResult& result) {
  text_ = text;
  is_last_ = is_last;
  result_ = &result;
  position_ = 0;
  for (bool goes_on = true; goes_on;) {
    switch (state_) {
      case State::kStart:
        goes_on = start();
        break;
      case State::kMembers:
        goes_on = member();
        break;
      case State::kEvents:
        goes_on = events();
        break;
      case State::kHunting:
        goes_on = hunt();
        break;
      case State::kDone:
      case State::kForeign:
        position_ = text.size();
        goes_on = false;
    }
  }
  return position_;
}

bool EventSplitter::start() {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.size() < kByteOrderMark.size() && !is_last_) return false;
  size_t start = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  start = skip_space(text_, start);
  if (start == text_.size()) return false;
  position_ = start + 1;
  is_object_ = text_[start] == '{';
  seen_events_ = text_[start] == '[';
  state_ = is_object_ ? State::kMembers : seen_events_ ? State::kEvents : State::kForeign;
  return true;
}

bool EventSplitter::member() {
  while (position_ < text_.size() && (is_space(text_[position_]) || text_[position_] == ',')) ++position_;
  if (position_ == text_.size()) return false;
  if (text_[position_] == '}') {
    ++position_;
    state_ = State::kDone;
    return true;
  }
  if (text_[position_] != '"') return give_up(position_);
  const size_t key_end = end_of_string(text_, position_);
  if (key_end == std::string_view::npos) return needs_more(position_);
  return member_value(position_ + 1, key_end - 1);
}

bool EventSplitter::member_value(size_t key_start, size_t key_end) {
  size_t value = skip_space(text_, key_end + 1);
  if (value == text_.size()) return needs_more(position_);
  if (text_[value] != ':') return give_up(position_);
  value = skip_space(text_, value + 1);
  if (value == text_.size()) return needs_more(position_);
  if (text_[value] == '[' && text_.substr(key_start, key_end - key_start) == "traceEvents") {
    position_ = value + 1;
    state_ = State::kEvents;
    seen_events_ = true;
    return true;
  }
  const size_t value_end = end_of_value(text_, value);
  if (value_end == std::string_view::npos) return needs_more(position_);
  const auto slice = [](size_t start, size_t end) {
    return Slice{static_cast<uint32_t>(start), static_cast<uint32_t>(end - start)};
  };
  result_->members.push_back({slice(key_start, key_end), slice(value, value_end)});
  position_ = value_end;
  return true;
}

// An event or member that starts at `start` is not complete. Waits for more text, unless it has become too large.
bool EventSplitter::needs_more(size_t start) {
  if (!is_last_ && text_.size() - start > kMaxEventBytes) return give_up(start + 1);
  position_ = start;
  return false;
}

bool EventSplitter::events() {
  depth_ = 0;
  gap_ = position_;
  StringState strings;
  for (size_t block = position_; block < text_.size(); block += kBlockBytes) {
    const BlockMasks masks = block_masks(text_.data() + block);
    const uint64_t inside = strings.inside(masks);
    uint64_t bits = ((masks.opens | masks.closes) & ~inside) | (masks.controls & inside);
    if (const size_t left = text_.size() - block; left < kBlockBytes) bits &= (uint64_t{1} << left) - 1;
    for (; bits != 0; bits &= bits - 1)
      if (!at_bracket(block + std::countr_zero(bits))) return true;
  }
  return suspend();
}

// Takes the bracket at `position`, or the control character inside a string. False: the pass ends here, and state_ and
// position_ tell how to continue.
bool EventSplitter::at_bracket(size_t position) {
  switch (text_[position]) {
    case '{':
    case '[':
      return open_bracket(position);
    case '}':
    case ']':
      return close_bracket(position);
    default:
      return !give_up(depth_ > 0 ? event_ + 1 : gap_);
  }
}

bool EventSplitter::open_bracket(size_t position) {
  const bool is_curly = text_[position] == '{';
  if (depth_ == 0) {
    const int commas = commas_in_gap(position);
    if (!is_curly || commas < 0) return !give_up(gap_);
    if (!result_->events.empty() && commas != 1) result_->is_contiguous = false;
    event_ = position;
  } else if (depth_ == kMaxDepth || is_out_of_place(position)) {
    return !give_up(event_ + 1);
  }
  ++depth_;
  curlies_ = curlies_ << 1 | (is_curly ? 1 : 0);
  return true;
}

bool EventSplitter::close_bracket(size_t position) {
  const bool is_curly = text_[position] == '}';
  if (depth_ == 0) {
    if (is_curly || commas_in_gap(position) < 0) return !give_up(gap_);
    position_ = position + 1;
    state_ = is_object_ ? State::kMembers : State::kDone;
    return false;
  }
  if (is_curly != ((curlies_ & 1) != 0)) return !give_up(event_ + 1);
  --depth_;
  curlies_ >>= 1;
  if (depth_ > 0) return true;
  result_->events.push_back({static_cast<uint32_t>(event_), static_cast<uint32_t>(position + 1 - event_)});
  gap_ = position + 1;
  return true;
}

// An opening bracket starts a value, so it follows a colon in an object, and the bracket or a comma in an array.
bool EventSplitter::is_out_of_place(size_t position) const {
  do --position;
  while (is_space(text_[position]));
  const char before = text_[position];
  return (curlies_ & 1) != 0 ? before != ':' : before != ',' && before != '[';
}

// How many commas are between two events; -1: something other than space and commas.
int EventSplitter::commas_in_gap(size_t end) const {
  int commas = 0;
  for (size_t position = gap_; position < end; ++position) {
    if (text_[position] == ',')
      ++commas;
    else if (!is_space(text_[position]))
      return -1;
  }
  return commas;
}

// The text ends in the middle of events. At the end of the file, an open event may have lost its end long before, and
// contain whole ones.
bool EventSplitter::suspend() {
  if (depth_ > 0) return is_last_ ? give_up(event_ + 1) : needs_more(event_);
  if (commas_in_gap(text_.size()) < 0) return give_up(gap_);
  position_ = text_.size();
  return false;
}

bool EventSplitter::give_up(size_t from) {
  ++result_->malformed;
  result_->is_contiguous = false;
  state_ = State::kHunting;
  position_ = std::min(from, text_.size());
  return true;
}

bool EventSplitter::hunt() {
  for (size_t start = text_.find('{', position_); start != std::string_view::npos; start = text_.find('{', start + 1)) {
    const Match match = anchor_at(text_, start);
    if (match == Match::kNo || (match == Match::kNeedsMore && is_last_)) continue;
    position_ = start;
    if (match == Match::kNeedsMore) return false;
    state_ = State::kEvents;
    seen_events_ = true;
    return true;
  }
  position_ = text_.size();
  return false;
}

}  // namespace tauprof::kineto
