// The splitter finds the same events whatever pieces the text comes in, and resumes after damage.
#include "import/event_splitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "import/block_masks.h"

namespace tauprof::kineto {
namespace {

struct Found {
  std::vector<std::string> events;
  std::vector<std::string> members;  // key=value
  uint64_t malformed = 0;
  bool is_complete = false;
  bool is_contiguous = true;
};

// Feeds the text in pieces of `piece` bytes, as a reader does.
Found split(const std::string& text, size_t piece) {
  EventSplitter splitter;
  Found found;
  std::string pending;
  for (size_t position = 0;; position += piece) {
    const bool is_last = position >= text.size();
    if (!is_last) pending += text.substr(position, piece);
    const std::string padded = pending + std::string(EventSplitter::kPadding, '\0');
    const std::string_view view(padded.data(), pending.size());
    SplitResult result;
    const size_t used = splitter.split(view, is_last, result);
    for (Slice event : result.events) found.events.emplace_back(view.substr(event.offset, event.size));
    for (const TopLevelMember& member : result.members)
      found.members.push_back(std::string(view.substr(member.key.offset, member.key.size)) + "=" +
                              std::string(view.substr(member.value.offset, member.value.size)));
    found.malformed += result.malformed;
    found.is_contiguous = found.is_contiguous && result.is_contiguous;
    pending.erase(0, used);
    if (is_last) break;
  }
  found.is_complete = splitter.is_complete();
  return found;
}

Found split(const std::string& text) { return split(text, text.size() + 1); }

using Events = std::vector<std::string>;

TEST(EventSplitter, FindsEventsAndMembersInAnyOrder) {
  const Found found = split(R"( {"a": 1, "traceEvents": [ {"ph": 1}, {"ph": {"x": [1, {}]}} ], "b" : {"c": "}"}} )");
  EXPECT_EQ(found.events, (Events{R"({"ph": 1})", R"({"ph": {"x": [1, {}]}})"}));
  EXPECT_EQ(found.members, (Events{"a=1", R"(b={"c": "}"})"}));
  EXPECT_TRUE(found.is_complete);
  EXPECT_TRUE(found.is_contiguous);
  EXPECT_EQ(found.malformed, 0u);
}

TEST(EventSplitter, TakesATopLevelArray) {
  const Found found = split("\xEF\xBB\xBF[{\"ph\":1},\n{\"ph\":2}]");
  EXPECT_EQ(found.events, (Events{"{\"ph\":1}", "{\"ph\":2}"}));
  EXPECT_TRUE(found.is_complete);
}

TEST(EventSplitter, LeavesBracketsInStringsAlone) {
  const std::string event = R"({"name": "a{lambda()#1}[\"}\\", "x": "\\\\\"{"})";
  EXPECT_EQ(split("[" + event + "," + event + "]").events, (Events{event, event}));
}

TEST(EventSplitter, GivesTheSameForPiecesOfAnySize) {
  std::string text = R"({"deviceProperties": [{"id": 0, "name": "a}]"}], "traceEvents": [)";
  for (int i = 0; i < 40; ++i) {
    if (i > 0) text += ",\n  ";
    text += R"({"ph": "X", "name": ")" + std::string(i * 7 % 90, '\\') + std::string(i * 7 % 2, '\\') +
            R"({", "args": {"a": [1, 2], "b": {"c": "\"]"}}})";
  }
  text += R"(], "traceName": "x"})";
  const Found whole = split(text);
  EXPECT_EQ(whole.events.size(), 40u);
  for (size_t piece = 1; piece < 200; ++piece) {
    const Found found = split(text, piece);
    ASSERT_EQ(found.events, whole.events) << piece;
    ASSERT_EQ(found.members, whole.members) << piece;
    ASSERT_EQ(found.malformed, 0u) << piece;
    ASSERT_TRUE(found.is_complete);
  }
}

TEST(EventSplitter, LosesOnlyTheDamagedEvent) {
  const std::string first = R"({"ph":"X","name":"first"})", second = R"({"ph":"X","name":"second"})",
                    third = R"({"ph":"X","name":"third"})";
  const std::pair<const char*, const char*> damages[] = {
      {"cut inside its name", R"({"ph":"X","name":"cut)"},
      {"cut inside its arguments", R"({"ph":"X","args":{"a":1,)"},
      {"cut behind a colon", R"({"ph":"X","args":)"},
      {"brackets that do not match", R"({"ph":"X","args":[1,2}},)"},
      {"one bracket too many", R"(},)"},
      {"a newline in its name", "{\"ph\":\"X\",\"name\":\"a\nb\"},"},
      {"words", "oops, "},
      {"an odd quote", "\", "},
      {"an array", R"([1,2,{"x":3}],)"},
  };
  for (const auto& [what, damage] : damages) {
    const Found found = split("[" + first + ",\n" + damage + "\n" + second + "," + third + "]");
    for (const std::string& event : {first, second, third})
      EXPECT_EQ(std::count(found.events.begin(), found.events.end(), event), 1) << what << ": " << event;
    EXPECT_GE(found.malformed, 1u) << what;
  }
}

TEST(EventSplitter, FindsTheEventsAfterAMissingQuoteInCompactText) {
  std::string text = R"([{"ph":"X","name":"cut)";
  for (int i = 0; i < 100; ++i) text += R"({"ph":"X","name":"whole"},)";
  EXPECT_GE(split(text).events.size(), 100u);
}

TEST(EventSplitter, RefusesTextThatIsNotJson) {
  EventSplitter splitter;
  SplitResult result;
  const std::string padded = std::string(
                                 "\x7f"
                                 "ELF binary") +
                             std::string(EventSplitter::kPadding, '\0');
  splitter.split({padded.data(), 11}, true, result);
  EXPECT_TRUE(splitter.is_foreign());
}

TEST(EventSplitter, BoundsNesting) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += R"({"ph":)";
  const Found found = split("[" + deep + R"(, {"ph": "X", "name": "after"}])");
  EXPECT_EQ(found.events, (Events{R"({"ph": "X", "name": "after"})"}));
}

TEST(EventSplitter, GivesUpOnExcessivelyLargeEvents) {
  const std::string huge = R"({"ph": "X", "name": ")" + std::string(2 * EventSplitter::kMaxEventBytes, 'x') + "\"}";
  const Found found = split("[" + huge + R"(, {"ph": "X"}])", 1u << 20);
  ASSERT_EQ(found.events.size(), 1u);
  EXPECT_EQ(found.events[0].size(), 11u);
  EXPECT_EQ(found.malformed, 1u);
}

TEST(BlockMasks, AreTheSameInBothVersions) {
  std::mt19937 random(1);
  constexpr char kCharacters[] = "{}[]\"\\ab \n\x01\x1f\x20\x7f\xff{[";
  for (int round = 0; round < 1000; ++round) {
    char block[kBlockBytes];
    for (char& c : block)
      c = random() % 4 == 0 ? static_cast<char>(random()) : kCharacters[random() % sizeof(kCharacters)];
    const BlockMasks fast = block_masks(block), portable = portable_masks(block);
    ASSERT_EQ(fast.quotes, portable.quotes);
    ASSERT_EQ(fast.backslashes, portable.backslashes);
    ASSERT_EQ(fast.opens, portable.opens);
    ASSERT_EQ(fast.closes, portable.closes);
    ASSERT_EQ(fast.controls, portable.controls);
    for (size_t i = 0; i < kBlockBytes; ++i) {
      ASSERT_EQ(fast.quotes >> i & 1, block[i] == '"' ? 1u : 0u);
      ASSERT_EQ(fast.opens >> i & 1, block[i] == '{' || block[i] == '[' ? 1u : 0u);
      ASSERT_EQ(fast.controls >> i & 1, static_cast<unsigned char>(block[i]) < 0x20 ? 1u : 0u);
    }
  }
}

}  // namespace
}  // namespace tauprof::kineto
