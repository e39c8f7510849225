// Collectives from the arguments of kernels, or of the operators that launched them.
#include "import/imported_log.h"

namespace tauprof::kineto {
namespace {

class CollectivesTest : public ImportTest {
 protected:
  static std::string kernel(const std::string& args, const std::string& name = "ncclDevKernel_AllReduce_Sum_f32") {
    return R"({"ph": "X", "cat": "kernel", "name": ")" + name +
           R"(", "pid": 0, "tid": 20, "ts": 10, "dur": 5, "args": {"External id": 9, "device": 0, "stream": 20,
           "correlation": 77)" +
           args + "}}";
  }
  static std::string described(const std::string& name, int64_t in, int64_t out, const std::string& more = "") {
    return R"("Collective name": ")" + name + R"(", "In msg nelems": )" + std::to_string(in) +
           R"(, "Out msg nelems": )" + std::to_string(out) +
           R"(, "Group size": 4, "dtype": "BFloat16", "Process Group Name": "7",
           "Process Group Ranks": "[0, 2, 4, 6]")" +
           more;
  }
  log::Collective only_collective(const std::string& events) {
    const ImportedLog log = import(trace_of(events));
    const auto records = log.records<log::Collective>();
    EXPECT_EQ(records.size(), 1u);
    return records.empty() ? log::Collective{} : records[0];
  }
};

TEST_F(CollectivesTest, AKernelsArgumentsMakeACollectiveAndItsCommunicator) {
  const ImportedLog log = import(trace_of(kernel("," + described("allreduce", 100, 100, R"(, "Seq": 12)"))));
  const log::Collective record = log.records<log::Collective>().at(0);
  EXPECT_EQ(log.text(record.function), "allreduce");
  EXPECT_EQ(record.operation, static_cast<int64_t>(log::Operation::kAllReduce));
  EXPECT_EQ(record.datatype, static_cast<int64_t>(log::DataType::kBfloat16));
  EXPECT_EQ(record.correlation, 77);
  EXPECT_EQ(record.start, 10000);
  EXPECT_EQ(record.count, 100);
  EXPECT_EQ(record.sequence, 12);
  const log::Communicator communicator = log.records<log::Communicator>().at(0);
  EXPECT_EQ(communicator.communicator, record.communicator);
  EXPECT_NE(communicator.identity, 0);
  EXPECT_EQ(communicator.size, 4);
  EXPECT_EQ(communicator.rank, 0);
  EXPECT_EQ(log.text(communicator.name), "7");
  EXPECT_EQ(log.text(communicator.members), "0,2,4,6");
}

TEST_F(CollectivesTest, CountsAreAsPassedToNccl) {
  const struct {
    const char* name;
    int64_t in, out, count;
  } cases[] = {{"_allgather_base", 10, 40, 10},
               {"_reduce_scatter_base", 40, 10, 10},
               {"broadcast", 8, 8, 8},
               {"all_to_all", 40, 40, 10},
               {"gather", 10, 40, 10},
               {"scatter", 40, 10, 10},
               {"recv", 0, 6, 6}};
  for (const auto& c : cases)
    EXPECT_EQ(only_collective(kernel("," + described(c.name, c.in, c.out))).count, c.count) << c.name;
}

TEST_F(CollectivesTest, AnUnequalAllToAllHasItsBytesToOtherRanks) {
  const std::string splits = R"(, "In split size": "[1, 2, 3, 4]", "Out split size": "[1, 1, 1, 1]")";
  const log::Collective record = only_collective(kernel("," + described("all_to_allv", 50, 20, splits)));
  EXPECT_EQ(record.count, 0);
  EXPECT_EQ(record.bytes_out, 9 * 5 * 2);  // nine of ten rows of five elements of two bytes
  const std::string equal = R"(, "In split size": "[5, 5, 5, 5]")";
  EXPECT_EQ(only_collective(kernel("," + described("all_to_allv", 40, 40, equal))).count, 10);
  const log::Collective received = only_collective(kernel("," + described("all_to_allv", 40, 60, equal)));
  EXPECT_EQ(received.count, 0) << "its own parts are equal, but not those of the others";
  EXPECT_EQ(received.bytes_out, 3 * 10 * 2);
  const std::string cut = R"(, "In split size": "[1, 2, ...]")";
  const log::Collective unknown = only_collective(kernel("," + described("all_to_allv", 50, 20, cut)));
  EXPECT_EQ(unknown.count + unknown.bytes_out, 0);
}

TEST_F(CollectivesTest, APointToPointCallHasAPeerAndNoSequence) {
  const log::Collective sent = only_collective(kernel("," + described("send", 5, 5, R"(, "Dst Rank": 6, "Seq": 3)")));
  EXPECT_EQ(sent.peer, 3 + 1);  // rank 6 of the job is rank 3 of the group
  EXPECT_EQ(sent.sequence, 0);
  EXPECT_EQ(only_collective(kernel("," + described("recv", 5, 5, R"(, "Src Rank": 0)"))).peer, 0 + 1);
  EXPECT_EQ(only_collective(kernel("," + described("send", 5, 5, R"(, "Dst Rank": 5)"))).peer, 0);  // not a member
}

TEST_F(CollectivesTest, TheRankOfARootedOperationIsItsRoot) {
  EXPECT_EQ(only_collective(kernel("," + described("broadcast", 8, 8, R"(, "Rank": 0)"))).peer, 0 + 1);
  EXPECT_EQ(only_collective(kernel("," + described("reduce", 8, 8, R"(, "Root Rank": 3)"))).peer, 3 + 1);
  EXPECT_EQ(only_collective(kernel("," + described("allreduce", 8, 8, R"(, "Rank": 3)"))).peer, 0);  // its own
}

TEST_F(CollectivesTest, AKernelWithoutArgumentsTakesThoseOfItsOperator) {
  const std::string op = R"({"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 1, "tid": 1, "ts": 1,
      "dur": 1, "args": {"External id": 9, )" +
                         described("allreduce", 33, 33) + "}},";
  EXPECT_EQ(only_collective(op + kernel("")).count, 33);
  EXPECT_EQ(only_collective(op + kernel("," + described("allreduce", 44, 44))).count, 44);
  import(trace_of(op + kernel("", "vectorized_elementwise_kernel")));
  EXPECT_EQ(imported(Imported::kCollective), 0u);
  import(trace_of(op + kernel("", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)")));
  EXPECT_EQ(imported(Imported::kCollective), 0u);
}

TEST_F(CollectivesTest, MembersOfALargeGroupComeFromElsewhere) {
  std::string cut = "[0";
  for (int rank = 1; rank < 30; ++rank) cut += ", " + std::to_string(rank);
  const std::string args =
      R"(,"Collective name": "allreduce", "In msg nelems": 1, "Out msg nelems": 1, "dtype": "Float",
      "Group size": 32, "Process Group Name": "1", "Process Group Ranks": ")" +
      cut + R"(, ...]")";
  const auto members = [&](const std::string& facts) {
    const ImportedLog log = import(std::string("{\"traceEvents\": [") + kernel(args) +
                                   "], \"distributedInfo\": {\"rank\": 31, " + facts + "}}");
    return log.text(log.records<log::Communicator>().at(0).members);
  };
  EXPECT_EQ(members(R"("world_size": 64)"), "");
  EXPECT_EQ(members(R"("world_size": 32)").substr(0, 10), "0,1,2,3,4,");
  std::string ranks = "40";
  for (int rank = 41; rank < 72; ++rank) ranks += "," + std::to_string(rank);
  EXPECT_EQ(members(R"("world_size": 99, "pg_config": [{"pg_name": "1", "pg_size": 32, "ranks": [)" + ranks + "]}]"),
            ranks);
}

TEST_F(CollectivesTest, ListsMayBeJson) {
  const std::string args =
      R"(,"Collective name": "allreduce", "In msg nelems": 1, "Out msg nelems": 1, "dtype": "Float",
      "Group size": 2, "Process Group Name": "0", "Process Group Ranks": [0, 1])";
  const ImportedLog log = import(trace_of(kernel(args)));
  EXPECT_EQ(log.text(log.records<log::Communicator>().at(0).members), "0,1");
}

}  // namespace
}  // namespace tauprof::kineto
