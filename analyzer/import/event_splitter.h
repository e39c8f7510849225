// Finds the events of a trace in its text without parsing them: the `{…}` at the top level of
// `traceEvents` (or of a top-level array), and the members of the top-level object.
//
// The text comes in pieces of any size; what a piece does not complete is asked for again in front
// of the next one. Inside `traceEvents` the text runs through 64-byte masks (block_masks.h), and
// only its brackets are looked at one by one.
//
// Damage: brackets that do not match, a bracket where JSON allows none, a control character inside
// a string, text between events, nesting or size beyond all reason. Then the event is given up,
// and the search goes on right behind its first byte for the next anchor: `{`, then one of the
// keys that events begin with, quoted, then a colon. Inside a proper JSON string its quotes would be
// escaped, so an anchor is the start of an object whatever state the quotes before it are in.
//   {"ph":"X","name":"cut he  {"ph":"X","name":"whole",…}   → the second is found
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tauprof::kineto {

// A stretch of the text handed to the splitter.
struct Slice {
  uint32_t offset;
  uint32_t size;
};

struct TopLevelMember {
  Slice key;  // without quotes, not unescaped
  Slice value;
};

struct SplitResult {
  std::vector<Slice> events;
  std::vector<TopLevelMember> members;
  uint64_t malformed = 0;     // stretches given up
  bool is_contiguous = true;  // the events follow each other with one comma between any two
  void clear();
};

class EventSplitter {
 public:
  static constexpr size_t kMaxEventBytes = 16u << 20;
  static constexpr size_t kPadding = 64;  // bytes behind the text that may be read
  static constexpr int kMaxDepth = 64;

  // One that begins in the middle of events, as after damage.
  static EventSplitter hunting() {
    EventSplitter splitter;
    splitter.state_ = State::kHunting;
    return splitter;
  }

  // Splits what is complete in `text`, appends to `result` and returns how many bytes are done with;
  // the rest must stand at the front of the next text. `is_last`: nothing follows.
  size_t split(std::string_view text, bool is_last, SplitResult& result);

  bool is_trace() const { return seen_events_; }  // a traceEvents array was found
  bool is_foreign() const { return state_ == State::kForeign || state_ == State::kStart; }  // no JSON so far
  bool is_complete() const { return state_ == State::kDone; }  // the closing bracket of the text was found

 private:
  enum class State : uint8_t {
    kStart,    // before the first bracket
    kMembers,  // in the top-level object
    kEvents,   // in traceEvents, between two events
    kHunting,  // after damage: looking for an anchor
    kDone,     // behind the end
    kForeign,
  };

  // Each works from `position_` and returns false when it needs more text.
  bool start();
  bool member();
  bool events();
  bool hunt();

  bool member_value(size_t key_begin, size_t key_end);
  bool needs_more(size_t begin);
  bool at_bracket(size_t position);
  bool open_bracket(size_t position);
  bool close_bracket(size_t position);
  bool suspend();
  bool give_up(size_t from);
  int commas_in_gap(size_t end) const;
  bool is_out_of_place(size_t position) const;

  State state_ = State::kStart;
  bool is_object_ = false;  // the events stand in an object, not in a bare array
  bool seen_events_ = false;

  std::string_view text_;
  bool is_last_ = false;
  SplitResult* result_ = nullptr;
  size_t position_ = 0;

  // Within one pass over events.
  int depth_ = 0;
  uint64_t curlies_ = 0;  // bit 0: the innermost open bracket is {; bit 1: the one around it …
  size_t event_ = 0;      // where the open event begins
  size_t gap_ = 0;        // where the text between two events begins
};

// The end (one past) of the JSON value at `begin`; npos when the text ends before it does.
size_t end_of_value(std::string_view text, size_t begin);

}  // namespace tauprof::kineto
