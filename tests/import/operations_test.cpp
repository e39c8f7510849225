#include <gtest/gtest.h>

#include <bit>

#include "import/imported_log.h"
#include "import/operations/import_operations.h"

namespace tauprof {
namespace {

class OperationsTest : public testing::Test {
 protected:
  // The path of the trace.
  std::string write(std::string_view rows, std::string_view job = "dsp_size: 1\n") {
    directory_.write("job/meta.yaml", job);
    return directory_.write(
        "job/trace.csv", "dp_rank,stage,rank,step,optype,start_ts,duration,seq_id,mc,mb_id,gmc\n" + std::string(rows));
  }
  Status import(const std::string& source) {
    return import_operations(
        source, directory_.path("logs"),
        [this](const OperationTrace& trace) {
          trace_ = trace;
          return verdict_;
        },
        result_);
  }

  kineto::ScratchDirectory directory_;
  OperationTrace trace_;
  Status verdict_;
  OperationImport result_;
};

TEST_F(OperationsTest, KeepsEveryBitOfTheTimes) {
  ASSERT_TRUE(
      import(write("0,1,4,16,gc,0.1,2.6883304119110107,0,-1,-1,-1\n3,0,12,17,forward-compute,1e-3,5,2,1,7,2.0\n"))
          .is_ok());
  std::unique_ptr<LogReader> reader;
  ASSERT_TRUE(LogReader::open(result_.log, reader).is_ok());
  RecordBlock block;
  while (reader->next(block) && block.kind() != log::RecordKind::kJobOperation) continue;
  ASSERT_EQ(block.records(), 2u);
  EXPECT_EQ(std::bit_cast<double>(block.column(&log::JobOperation::start_bits)[0]), 0.1);
  EXPECT_EQ(std::bit_cast<double>(block.column(&log::JobOperation::duration_bits)[0]), 2.6883304119110107);
  EXPECT_EQ(block.column(&log::JobOperation::chunk)[0], -1);
  EXPECT_EQ(block.column(&log::JobOperation::model_chunk)[1], 2);
  EXPECT_EQ(block.column(&log::JobOperation::micro_batch)[1], 7);
  EXPECT_EQ(result_.ranks, 2u);
  EXPECT_EQ(result_.steps, 2u);
}

TEST_F(OperationsTest, ReadsTheDescriptionOfTheJob) {
  ASSERT_TRUE(
      import(write("0,0,0,1,gc,0,0,0,-1,-1,-1\n",
                   "---\n# a job\ntrial_name: \"a: b\"  # named\ndsp_size: 2 # ranks\r\n\nnested:\n  dp_size: 9\n"))
          .is_ok());
  EXPECT_EQ(trace_.job, (std::map<std::string, std::string>{{"trial_name", "a: b"}, {"dsp_size", "2"}}));
}

TEST_F(OperationsTest, WritesNothingThatCannotBeUsed) {
  verdict_ = Status::error("row 1 is wrong");
  const std::string source = write("0,0,0,1,gc,0,0,0,-1,-1,-1\n");
  EXPECT_EQ(import(source).message(), source + ": row 1 is wrong");
  EXPECT_FALSE(std::filesystem::exists(directory_.path("logs")));
}

TEST_F(OperationsTest, SaysWhatTheTableLacks) {
  write("");
  const std::string source = directory_.write("job/trace.csv", "dp_rank,stage,step\n0,0,1\n");
  EXPECT_EQ(import(source).message().substr(source.size()),
            ": the heading lacks rank, optype, start_ts, duration, seq_id, mc, gmc; an operation trace has the columns "
            "dp_rank, stage, rank, step, optype, start_ts, duration, seq_id, mc, gmc, mb_id");
}

TEST_F(OperationsTest, ADirectoryHasOneTable) {
  write("0,0,0,1,gc,0,0,0,-1,-1,-1\n");
  EXPECT_TRUE(import(directory_.path("job")).is_ok());
  std::filesystem::copy(directory_.path("job/trace.csv"), directory_.path("job/second"));
  EXPECT_NE(import(directory_.path("job")).message().find("holds several tables"), std::string::npos);
}

}  // namespace
}  // namespace tauprof
