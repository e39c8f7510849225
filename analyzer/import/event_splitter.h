// Finds the events of a trace in its text without parsing them: the `{…}` at the top level of `traceEvents` (or of a
// top-level array), and the members of the top-level object.
//
// The text comes in pieces of any size. The caller puts the unfinished end of a piece in front of the next one. Inside
// `traceEvents`, the text is processed as 64-byte masks (block_masks.h), and only brackets are examined one by one.
//
// Damage is: brackets that do not match, a bracket where JSON allows none, a control character inside a string, text
// between events, excessive nesting or size. The splitter then gives up the event and searches, from its second byte
// on, for the next anchor: `{`, then one of the keys with which events start, in quotes, then a colon. Inside a proper
// JSON string, the quotes of the key would be escaped, so an anchor is the start of an object whatever quotes come
// before it.
//   {"ph":"X","name":"cut he  {"ph":"X","name":"whole",…}   → the second is found
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tauprof::kineto {

// A part of the text passed to the splitter.
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
  uint64_t malformed = 0;     // damaged parts that were given up
  bool is_contiguous = true;  // between any two events there is one comma and nothing else
  void clear();
};

class EventSplitter {
 public:
  static constexpr size_t kMaxEventBytes = 16u << 20;
  static constexpr size_t kPadding = 64;  // bytes after the text that may be read
  static constexpr int kMaxDepth = 64;

  // A splitter that starts in the middle of events, as after damage.
  static EventSplitter hunting() {
    EventSplitter splitter;
    splitter.state_ = State::kHunting;
    return splitter;
  }

  // Splits the complete events and members in `text`, appends them to `result`, and returns how many bytes are done.
  // The next text must start with the remaining bytes. `is_last`: there is no next text.
  size_t split(std::string_view text, bool is_last, SplitResult& result);

  bool is_trace() const { return seen_events_; }  // a traceEvents array was found
  bool is_foreign() const { return state_ == State::kForeign || state_ == State::kStart; }  // no JSON so far
  bool is_surely_foreign() const { return state_ == State::kForeign; }                      // whatever follows
  bool is_complete() const { return state_ == State::kDone; }  // the closing bracket of the text was found

 private:
  enum class State : uint8_t {
    kStart,    // before the first bracket
    kMembers,  // in the top-level object
    kEvents,   // in traceEvents, between two events
    kHunting,  // after damage: looking for an anchor
    kDone,     // after the end
    kForeign,
  };

  // Each works from `position_` on and returns false if it needs more text.
  bool start();
  bool member();
  bool events();
  bool hunt();

  bool member_value(size_t key_start, size_t key_end);
  bool needs_more(size_t start);
  bool at_bracket(size_t position);
  bool open_bracket(size_t position);
  bool close_bracket(size_t position);
  bool suspend();
  bool give_up(size_t from);
  int commas_in_gap(size_t end) const;
  bool is_out_of_place(size_t position) const;

  State state_ = State::kStart;
  bool is_object_ = false;  // the events are in an object, not in a bare array
  bool seen_events_ = false;

  std::string_view text_;
  bool is_last_ = false;
  SplitResult* result_ = nullptr;
  size_t position_ = 0;

  // Within one pass over events.
  int depth_ = 0;
  uint64_t curlies_ = 0;  // bit 0: the innermost open bracket is {; bit 1: the one around it …
  size_t event_ = 0;      // where the open event starts
  size_t gap_ = 0;        // where the text between two events starts
};

// One past the end of the JSON value at `start`; npos: the text ends first.
size_t end_of_value(std::string_view text, size_t start);

}  // namespace tauprof::kineto
