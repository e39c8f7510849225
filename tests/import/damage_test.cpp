// Traces that are truncated, damaged or no traces at all: each gets one line, and whatever is sound is imported.
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <chrono>

#include "import/imported_log.h"

namespace tauprof::kineto {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

class DamageTest : public ImportTest {
 protected:
  static std::string three_events() { return event("a") + ",\n  " + event("b\\\"{") + ",\n  " + event("c"); }
};

TEST_F(DamageTest, AFileTruncatedAtAnyByteKeepsTheEventsBefore) {
  const std::string trace = trace_of(three_events());
  std::vector<size_t> ends;
  for (const std::string& part : {event("a"), event("b\\\"{"), event("c")})
    ends.push_back(trace.find(part) + part.size());
  for (size_t cut = 0; cut < trace.size(); ++cut) {
    try_import(trace.substr(0, cut));
    const auto whole = std::count_if(ends.begin(), ends.end(), [&](size_t end) { return end <= cut; });
    ASSERT_EQ(summary_.counts.imported_events(), static_cast<uint64_t>(whole)) << cut;
    ASSERT_EQ(summary_.logs.size(), whole > 0 ? 1u : 0u) << cut;
    ASSERT_FALSE(summary_.messages.empty()) << cut;
    ASSERT_EQ(said("cut short at byte " + std::to_string(cut)), whole > 0) << cut;
  }
  try_import(trace);
  EXPECT_EQ(summary_.counts.imported_events(), 3u);
  EXPECT_TRUE(summary_.messages.empty());
}

TEST_F(DamageTest, AChangedByteCostsAtMostTheEventsNextToIt) {
  constexpr char kBytes[] = {'{', '"', '\\', '\n', '\xff'};
  const std::string trace = trace_of(three_events() + "," + three_events());
  const size_t begin = trace.find("traceEvents\": [") + 15;
  for (size_t position = begin; position < trace.size(); ++position) {
    for (const char byte : {kBytes[position % 5], kBytes[(position + 2) % 5]}) {
      std::string changed = trace;
      changed[position] = byte;
      try_import(changed);
      ASSERT_GE(summary_.counts.imported_events(), 4u) << position << " " << static_cast<int>(byte);
    }
  }
}

TEST_F(DamageTest, EventsThatSayTooLittleAreDroppedAndCounted) {
  import(trace_of(
      R"({"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1}, {"name": "x"}, {"ph": "X", "name": 5, "ts": 1, "dur": 1},
      {"ph": "X", "name": "x", "ts": 1}, {"ph": "X", "name": "x", "dur": 1}, {"ph": "X", "name": "x", "ts": 1, "dur": -1},
      {"ph": "X", "name": "x", "ts": NaN, "dur": 1}, {"ph": "X", "name": "x", "ts": 99999999999999999999, "dur": 1},
      {"ph": "X", "name": "x", "ts": 9223372036854775, "dur": 9223372036854775}, {"ph": "X", "name": "x", "ts": null, "dur": 1},
      {"ph": "X", "name": "x", "ts": {}, "dur": 1}, {}, )" +
      event("good")));
  EXPECT_EQ(imported(Imported::kOperator), 1u);
  EXPECT_EQ(dropped(Dropped::kNoName), 2u);
  EXPECT_EQ(dropped(Dropped::kNoPhase), 2u);
  EXPECT_EQ(dropped(Dropped::kNoTime), 2u);
  EXPECT_EQ(dropped(Dropped::kNegativeDuration), 1u);
  EXPECT_EQ(dropped(Dropped::kBadTime), 5u);
  EXPECT_TRUE(said("negative duration (1)"));
}

TEST_F(DamageTest, TheLogRecordsItsLosses) {
  const ImportedLog log = import(trace_of(event("bad", "1", "-1") + "," + event("good")));
  const auto drops = log.records<log::Drop>();
  ASSERT_EQ(drops.size(), 1u);
  EXPECT_EQ(drops[0].count, 1);
  EXPECT_EQ(log.text(drops[0].reason), "negative duration");
}

TEST_F(DamageTest, GarbageBetweenAndInsideEventsIsSkipped) {
  import(trace_of(event("a") + R"(, null, 7, "text", [[[]]], garbage {"ph": "X", "name": }, {"a" "b"}, )" + event("b") +
                  R"(, {"ph": "X", "args": {{{{, )" + event("c")));
  EXPECT_EQ(imported(Imported::kOperator), 3u);
  EXPECT_GE(dropped(Dropped::kMalformed), 1u);
}

TEST_F(DamageTest, ValuesOfWrongTypesDoNoHarm) {
  import(
      trace_of(R"({"ph": "X", "cat": 7, "name": "a", "pid": null, "tid": {"x": 1}, "ts": 1, "dur": 1, "args": [1, 2]},
      {"ph": "X", "cat": "kernel", "name": "k", "pid": "x", "tid": [], "ts": 1, "dur": 1,
       "args": {"device": "one", "stream": [], "grid": "none", "block": [1, "x"], "correlation": 1e400, "bytes": {}}},
      {"ph": "X", "ph": "X", "cat": "cpu_op", "name": "x", "name": "last", "pid": 1, "tid": 1, "ts": 1, "ts": 2, "dur": 1})"));
  EXPECT_EQ(summary_.counts.imported_events(), 3u);
}

TEST_F(DamageTest, NamesOfAMillionCharactersAreKept) {
  const std::string name(1000000, 'n');
  const ImportedLog log = import(trace_of(event("a") + "," + event(name) + "," + event("b")));
  EXPECT_EQ(log.text(log.records<log::Range>().at(1).name), name);
  EXPECT_EQ(log.records<log::Range>().size(), 3u);
}

TEST_F(DamageTest, BytesThatAreNotUtf8CostOnlyTheName) {
  const ImportedLog log = import(trace_of(event("a") + "," + event("b\xff\xfe") + "," + event("c")));
  ASSERT_EQ(log.records<log::Range>().size(), 3u);
  EXPECT_EQ(log.text(log.records<log::Range>()[1].name), "b??");
}

TEST_F(DamageTest, FilesThatAreNoTracesAreNamed) {
  const std::pair<const char*, const char*> cases[] = {{"", "the file is empty"},
                                                       {"   ", "not JSON"},
                                                       {"\x7f"
                                                        "ELF",
                                                        "not JSON"},
                                                       {"{\"a\": [1, 2]}", "no traceEvents"},
                                                       {"{}", "no traceEvents"},
                                                       {"[]", "no usable events"},
                                                       {"{\"traceEvents\": []}", "no usable events"},
                                                       {"{\"traceEvents\": 7}", "no traceEvents"}};
  for (const auto& [text, line] : cases) {
    try_import(text);
    EXPECT_TRUE(summary_.logs.empty()) << text;
    EXPECT_TRUE(said(line)) << text << ": " << (summary_.messages.empty() ? "" : summary_.messages[0]);
  }
}

TEST_F(DamageTest, GzipIsReadMemberByMember) {
  const std::string trace = trace_of(three_events());
  import(gzipped(trace), "rank-0.json.gz");
  EXPECT_EQ(summary_.counts.imported_events(), 3u);
  import(gzipped(trace.substr(0, 150)) + gzipped(trace.substr(150)), "rank-0.json.gz");
  EXPECT_EQ(summary_.counts.imported_events(), 3u);
  import(gzipped(trace) + "garbage", "rank-0.json.gz");
  EXPECT_EQ(summary_.counts.imported_events(), 3u);
}

TEST_F(DamageTest, TruncatedGzipGivesWhatCouldBeInflated) {
  std::string events = event("first");
  for (int i = 0; i < 300; ++i) events += ",\n" + event(std::to_string(i * 7919 % 1000), std::to_string(i * 104729));
  const std::string packed = gzipped(trace_of(events));
  uint64_t before = 0;
  for (size_t cut = 0; cut < packed.size(); cut += 7) {
    try_import(packed.substr(0, cut));
    ASSERT_FALSE(summary_.messages.empty()) << cut;
    ASSERT_GE(summary_.counts.imported_events(), before) << cut;
    before = summary_.counts.imported_events();
  }
  EXPECT_EQ(before, 301u);  // even without its trailer
  std::string spoilt = packed;
  spoilt[spoilt.size() - 6] ^= 1;
  try_import(spoilt);
  EXPECT_EQ(summary_.counts.imported_events(), 301u);
  EXPECT_TRUE(said("gzip"));
}

TEST_F(DamageTest, EndlessNestingTakesLinearTime) {
  std::string text = "[";
  for (int i = 0; i < 1 << 19; ++i) text += R"({"ph":[)";
  const auto start = std::chrono::steady_clock::now();
  try_import(text);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_TRUE(summary_.logs.empty());
}

}  // namespace
}  // namespace tauprof::kineto
