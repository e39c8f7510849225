// How the values of the recorder's variables are written. The recorder reads them with these forms, and `tauprof run`
// checks its options with the same ones. Needs no C++ runtime library.
//
// A form parses a text into its target, and leaves that alone if the text is not such a value (false). `put_accepted`
// says what is accepted.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

namespace tauprof::capture {

// A sentence of bounded length; what does not fit is cut.
class ShortText {
 public:
  constexpr void add(const char* text) {
    for (; *text != '\0' && size_ + 1 < sizeof text_; ++text) text_[size_++] = *text;
    text_[size_] = '\0';
  }
  constexpr void add_item(const char* name) {
    if (size_ > 0) add(",");
    add(name);
  }
  constexpr const char* text() const { return text_; }

 private:
  char text_[256] = "";
  size_t size_ = 0;
};

struct Choice {
  const char* name;
  uint32_t value;
};

// All names, with commas between them.
template <size_t kCount>
constexpr ShortText names_of(const Choice (&choices)[kCount]) {
  ShortText list;
  for (const Choice& choice : choices) list.add_item(choice.name);
  return list;
}

// Those whose bit is in `bits`.
template <size_t kCount>
constexpr ShortText names_of(const Choice (&choices)[kCount], uint32_t bits) {
  ShortText list;
  for (const Choice& choice : choices)
    if ((choice.value & bits) != 0) list.add_item(choice.name);
  return list;
}

template <size_t kCount>
const Choice* find_choice(const Choice (&choices)[kCount], const char* name, size_t size) {
  for (const Choice& choice : choices)
    if (strlen(choice.name) == size && memcmp(choice.name, name, size) == 0) return &choice;
  return nullptr;
}

template <size_t kSize>
bool copy_text(const char* text, char (&target)[kSize]) {
  if (strlen(text) >= kSize) return false;
  strcpy(target, text);
  return true;
}

// Reads a decimal number with an optional fraction, in billionths. False: the text is no such number.
inline constexpr uint64_t kOneInBillionths = 1'000'000'000;
inline bool parse_billionths(const char* text, uint64_t& billionths) {
  constexpr uint64_t kLargestWhole = 1'000'000'000;
  uint64_t whole = 0, fraction = 0, digit_value = 100'000'000;
  const char* at = text;
  for (; *at >= '0' && *at <= '9'; ++at)
    if ((whole = whole * 10 + static_cast<uint64_t>(*at - '0')) > kLargestWhole) return false;
  bool any = at != text;
  if (*at == '.')
    for (++at; *at >= '0' && *at <= '9'; ++at, digit_value /= 10, any = true)
      fraction += digit_value * static_cast<uint64_t>(*at - '0');
  billionths = whole * kOneInBillionths + fraction;
  return any && *at == '\0';
}

inline bool parse_whole(const char* text, uint64_t& number) {
  uint64_t billionths;
  if (!parse_billionths(text, billionths) || billionths % kOneInBillionths != 0) return false;
  number = billionths / kOneInBillionths;
  return true;
}

// Reads one number of a list of ranks. False: there is none.
inline bool parse_rank(const char*& at, int64_t& rank) {
  const char* const first_digit = at;
  for (rank = 0; *at >= '0' && *at <= '9' && at - first_digit < 10; ++at) rank = rank * 10 + (*at - '0');
  return at != first_digit;
}

// Calls `is_wanted(first, last)` for one range of the list after the other. Returns 1 once that returns true, 0 if it
// never does, -1 if the text is no list of ranks.
template <class IsWanted>
int find_rank_range(const char* list, IsWanted is_wanted) {
  for (const char* at = list;; ++at) {
    int64_t first, last;
    if (!parse_rank(at, first)) return -1;
    last = first;
    if (*at == '-' && (!parse_rank(++at, last) || last < first)) return -1;
    if (is_wanted(first, last)) return 1;
    if (*at == '\0') return 0;
    if (*at != ',') return -1;
  }
}

// Whether the text is the prefix with something behind it.
inline bool has_prefix(const char* text, const char* prefix) {
  const size_t size = strlen(prefix);
  return strncmp(text, prefix, size) == 0 && text[size] != '\0';
}

struct Path {
  template <size_t kSize>
  bool parse(const char* text, char (&target)[kSize]) const {
    return copy_text(text, target);
  }
  void put_accepted(ShortText& text) const { text.add("a path of less than 4096 bytes"); }
};

struct Seconds {
  bool parse(const char* text, uint64_t& nanoseconds) const { return parse_billionths(text, nanoseconds); }
  void put_accepted(ShortText& text) const { text.add("seconds, such as 30 or 0.5"); }
};

struct Microseconds {
  bool parse(const char* text, uint64_t& nanoseconds) const {
    uint64_t billionths;
    if (!parse_billionths(text, billionths) || billionths % (kOneInBillionths / 1000) != 0) return false;
    if (billionths / kOneInBillionths >= 1'000'000'000) return false;
    nanoseconds = billionths / (kOneInBillionths / 1000);
    return true;
  }
  void put_accepted(ShortText& text) const { text.add("microseconds, such as 100"); }
};

struct Megabytes {
  bool parse(const char* text, uint64_t& bytes) const {
    uint64_t number;
    if (!parse_whole(text, number) || number < 1 || number > 1u << 24) return false;
    bytes = number << 20;
    return true;
  }
  void put_accepted(ShortText& text) const { text.add("a whole number of megabytes, at least 1"); }
};

struct Steps {
  bool parse(const char* text, uint64_t& steps) const { return parse_whole(text, steps); }
  void put_accepted(ShortText& text) const { text.add("a whole number of steps"); }
};

// `full` steps of each `of`; 0 of 0: automatic.
struct StepShare {
  uint32_t full = 0;
  uint32_t of = 0;
};

struct Every {
  static constexpr uint32_t kMost = 1000;

  bool parse(const char* text, StepShare& share) const {
    StepShare read;
    if (strcmp(text, "auto") != 0) {
      const char* at = text;
      int64_t full, of;
      if (!parse_rank(at, full) || *at++ != '/' || !parse_rank(at, of) || *at != '\0') return false;
      if (full < 1 || full > of || of > kMost) return false;
      read = {static_cast<uint32_t>(full), static_cast<uint32_t>(of)};
    }
    share = read;
    return true;
  }
  void put_accepted(ShortText& text) const {
    text.add("auto, or n/m such as 1/10: whole numbers, n at least 1, m at least n and at most 1000");
  }
};

// The share of full steps with which device times cost the job no more than this, whatever it is: the most that they
// have been seen to add to a step. A slowdown that each rank measured would be another number on each, and ranks must
// agree.
struct Budget {
  static constexpr uint64_t kMostSlowdown = 60;  // percent: from 23.4 to 37.0 ms on an H200

  bool parse(const char* text, StepShare& share) const {
    char number[24];
    const size_t size = strcspn(text, "%");
    uint64_t percent;
    if (size >= sizeof number || (text[size] == '%' && text[size + 1] != '\0')) return false;
    memcpy(number, text, size);
    number[size] = '\0';
    if (!parse_billionths(number, percent) || percent == 0) return false;
    const uint64_t of = (kMostSlowdown * kOneInBillionths + percent - 1) / percent;
    if (of > Every::kMost) return false;
    share = {1, static_cast<uint32_t>(of)};
    return true;
  }
  void put_accepted(ShortText& text) const { text.add("a share of the job's time from 0.06% on, such as 0.5%"); }
};

// Empty: all.
struct Ranks {
  template <size_t kSize>
  bool parse(const char* text, char (&list)[kSize]) const {
    if (strcmp(text, "all") == 0) return copy_text("", list);
    return find_rank_range(text, [](int64_t, int64_t) { return false; }) == 0 && copy_text(text, list);
  }
  void put_accepted(ShortText& text) const { text.add("a list of ranks such as 0,4-7, or all"); }
};

// Empty: automatic.
struct MarkerName {
  template <size_t kSize>
  bool parse(const char* text, char (&marker)[kSize]) const {
    if (strcmp(text, "auto") == 0) return copy_text("", marker);
    return (has_prefix(text, "nvtx:") || has_prefix(text, "kernel:") || has_prefix(text, "call:")) &&
           copy_text(text, marker);
  }
  void put_accepted(ShortText& text) const { text.add("auto, nvtx:GLOB, kernel:GLOB or call:FUNCTION"); }
};

enum class CaptureRange : uint8_t { kNone, kCudaProfilerApi, kNvtx };

struct CaptureWindow {
  CaptureRange kind = CaptureRange::kNone;
  char name[256] = "";  // for kNvtx
};

struct RangeName {
  bool parse(const char* text, CaptureWindow& window) const {
    if (has_prefix(text, "nvtx:")) {
      if (!copy_text(text + strlen("nvtx:"), window.name)) return false;
      window.kind = CaptureRange::kNvtx;
      return true;
    }
    const bool is_api = strcmp(text, "cudaProfilerApi") == 0;
    if (!is_api && strcmp(text, "none") != 0) return false;
    window.kind = is_api ? CaptureRange::kCudaProfilerApi : CaptureRange::kNone;
    return true;
  }
  void put_accepted(ShortText& text) const { text.add("none, cudaProfilerApi or nvtx:NAME"); }
};

template <size_t kCount>
struct OneOf {
  const Choice (&choices)[kCount];

  template <class Value>
  bool parse(const char* text, Value& chosen) const {
    const Choice* const choice = find_choice(choices, text, strlen(text));
    if (choice != nullptr) chosen = static_cast<Value>(choice->value);
    return choice != nullptr;
  }
  void put_accepted(ShortText& text) const {
    for (size_t i = 0; i < kCount; ++i) {
      if (i > 0) text.add(i + 1 < kCount ? ", " : " or ");
      text.add(choices[i].name);
    }
  }
};

// Names with commas between them; the target is the set of their bits.
template <size_t kCount>
struct SetOf {
  const Choice (&choices)[kCount];

  bool parse(const char* text, uint32_t& chosen) const {
    uint32_t bits = 0;
    for (const char* at = text;;) {
      const size_t size = strcspn(at, ",");
      const Choice* const choice = find_choice(choices, at, size);
      if (choice == nullptr) return false;
      bits |= choice->value;
      if (at[size] == '\0') break;
      at += size + 1;
    }
    chosen = bits;
    return true;
  }
  void put_accepted(ShortText& text) const {
    text.add("a list of ");
    text.add(names_of(choices).text());
  }
};

}  // namespace tauprof::capture
