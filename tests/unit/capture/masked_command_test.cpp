#include "capture/rows/masked_command.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tauprof::capture;

namespace {

std::string masked(const std::vector<std::string>& arguments, size_t room = 4096) {
  std::string joined;
  for (const std::string& argument : arguments) joined += argument + '\0';
  std::string text(room, '\0');
  text.resize(write_masked_command(joined.data(), joined.size(), text.data(), text.size()));
  return text;
}

bool is_secret(const std::string& name) { return is_secret_name(name.data(), name.size()); }

TEST(MaskedCommand, KeepsAnOrdinaryCommand) {
  EXPECT_EQ(masked({"python", "train.py", "--lr", "0.1", "--name=a b", "-x", "dp:8"}),
            "python train.py --lr 0.1 --name=a b -x dp:8");
  EXPECT_EQ(masked({}), "");
  EXPECT_EQ(masked({"a", "", "b"}), "a  b");
}

TEST(MaskedCommand, MasksTheValueOfAnOption) {
  EXPECT_EQ(masked({"a", "--token", "abc", "b"}), "a --token *** b");
  EXPECT_EQ(masked({"a", "--token=abc def", "b"}), "a --token=*** b");
  EXPECT_EQ(masked({"a", "--api-key", "abc"}), "a --api-key ***");
  EXPECT_EQ(masked({"a", "-password", "-abc"}), "a -password ***");
  EXPECT_EQ(masked({"a", "--password", "--verbose", "b"}), "a --password --verbose b");
  EXPECT_EQ(masked({"a", "--password"}), "a --password");
}

TEST(MaskedCommand, MasksAssignments) {
  EXPECT_EQ(masked({"env", "HF_TOKEN=abc", "S3_KEY=a=b", "A=1"}), "env HF_TOKEN=*** S3_KEY=*** A=1");
  EXPECT_EQ(masked({"train", "+wandb.apiKey=abc", "opt=user=me,password=abc"}),
            "train +wandb.apiKey=*** opt=user=me,password=***");
  EXPECT_EQ(masked({"a", "HF_TOKEN="}), "a HF_TOKEN=");
}

TEST(MaskedCommand, LooksIntoScriptsAndDocuments) {
  EXPECT_EQ(masked({"bash", "-c", "export HF_TOKEN=abc; run --secret abc --lr 1"}),
            "bash -c export HF_TOKEN=*** run --secret *** --lr 1");
  EXPECT_EQ(masked({"a", R"({"token": "a b", "n": 1})"}), R"(a {"token": "***", "n": 1})");
  EXPECT_EQ(masked({"bash", "-c", "x PASSWORD='a b' y"}), "bash -c x PASSWORD='***' y");
}

TEST(MaskedCommand, MasksHeadersAndAddresses) {
  EXPECT_EQ(masked({"curl", "-H", "Authorization: Bearer abc"}), "curl -H Authorization: Bearer ***");
  EXPECT_EQ(masked({"sh", "-c", "curl -H 'Authorization: Bearer abc' x"}),
            "sh -c curl -H 'Authorization: Bearer ***' x");
  EXPECT_EQ(masked({"a", "https://me:abc@host/x"}), "a https://me:***@host/x");
  EXPECT_EQ(masked({"a", "--url=https://abc@host/x"}), "a --url=https://***@host/x");
  EXPECT_EQ(masked({"a", "tcp://host:29500", "s3://bucket/a@b"}), "a tcp://host:29500 s3://bucket/a@b");
  EXPECT_EQ(masked({"a", "https://host/?token=abc&x=1"}), "a https://host/?token=***&x=1");
}

TEST(MaskedCommand, KnowsNamesByTheirLastPart) {
  for (const char* name : {"token", "--hf_token", "HFTOKEN", "accessToken", "AWS_SECRET_ACCESS_KEY", "api-key",
                           "apikey", "db.password", "TOKEN_2", "PGPASSWORD", "secret"})
    EXPECT_TRUE(is_secret(name)) << name;
  for (const char* name :
       {"--tokenizer", "--max-tokens", "keyword", "monkey", "--token-file", "--key-dim", "author", "", "--", "bypass"})
    EXPECT_FALSE(is_secret(name)) << name;
}

TEST(MaskedCommand, StopsWhereTheRoomEnds) {
  EXPECT_EQ(masked({"abc", "--token=xyz"}, 8), "abc --to");
  EXPECT_EQ(masked({"abc", "--token=xyz"}, 0), "");
}

}  // namespace
