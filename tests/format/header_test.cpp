// For a file that cannot be read at all, one line says why.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <set>

#include "format/decoded_log.h"
#include "format/log_forge.h"
#include "format/scratch_file.h"

namespace tauprof {
namespace {

class HeaderTest : public testing::Test {
 protected:
  std::string Refusal(const std::string& path) {
    const DecodedLog log = decode_log(path);
    EXPECT_FALSE(log.status.is_ok());
    EXPECT_EQ(log.status.message().find('\n'), std::string::npos);
    EXPECT_EQ(log.status.message().rfind(path, 0), 0u) << "the line begins with the file: " << log.status.message();
    return log.status.message();
  }
  std::string RefusalOf(const ByteVector& bytes) {
    file_.write(bytes);
    return Refusal(file_.path());
  }
  std::string RefusalOf(const log::FileHeader& header) { return RefusalOf(forge_log(header, {})); }

  ScratchFile file_;
};

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

TEST_F(HeaderTest, SoundHeaderIsAccepted) {
  file_.write(forge_log(forge_header(), {}));
  EXPECT_TRUE(decode_log(file_.path()).status.is_ok());
}

TEST_F(HeaderTest, EachReasonHasItsOwnMessage) {
  EXPECT_TRUE(says(Refusal("/nonexistent/log.tauprof"), "cannot be opened: No such file"));
  EXPECT_TRUE(says(Refusal("/tmp"), "not a regular file"));
  EXPECT_TRUE(says(RefusalOf(ByteVector{}), "empty"));
  const std::string text = "{\"traceEvents\": []}";
  EXPECT_TRUE(says(RefusalOf(ByteVector(text.begin(), text.end())), "not a tauprof log"));
  ByteVector bytes = forge_log(forge_header(), {});
  EXPECT_TRUE(says(RefusalOf(ByteVector(bytes.begin(), bytes.begin() + 100)), "too short"));
  bytes[200] ^= 1;
  EXPECT_TRUE(says(RefusalOf(bytes), "header is damaged"));
}

TEST_F(HeaderTest, NamedPipeDoesNotBlock) {
  const std::string path = file_.vacate();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_TRUE(says(Refusal(path), "not a regular file"));
}

TEST_F(HeaderTest, ForeignByteOrderIsNamed) {
  log::FileHeader header = forge_header();
  header.byte_order = __builtin_bswap32(header.byte_order);
  EXPECT_TRUE(says(RefusalOf(header), "other byte order"));
}

TEST_F(HeaderTest, LogsThatNeedANewerReaderAreRefused) {
  log::FileHeader header = forge_header();
  header.version = 7;
  header.minimum_reader = 6;
  EXPECT_TRUE(says(RefusalOf(header), "log version 7 needs a newer tauprof"));
}

TEST_F(HeaderTest, UnknownRequiredFeatureIsRefused) {
  log::FileHeader header = forge_header();
  header.required_features |= uint64_t{1} << 40;
  EXPECT_TRUE(says(RefusalOf(header), "features"));
}

TEST_F(HeaderTest, UnknownOptionalFeatureIsAccepted) {
  log::FileHeader header = forge_header();
  header.optional_features = ~uint64_t{0};
  file_.write(forge_log(header, {}));
  EXPECT_TRUE(decode_log(file_.path()).status.is_ok());
}

TEST_F(HeaderTest, ImpossibleHeaderSizeIsRefused) {
  for (const uint32_t size : {0u, 100u, 319u, 0x7FFFFFFFu}) {
    log::FileHeader header = forge_header();
    header.header_size = size;
    seal(header);
    ByteVector bytes;
    append_bytes(bytes, &header, sizeof header);
    EXPECT_TRUE(says(RefusalOf(bytes), "makes no sense"));
  }
}

}  // namespace
}  // namespace tauprof
