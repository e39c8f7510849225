// Texts, names of collectives, and names of files.
#include <gtest/gtest.h>

#include "import/collective_names.h"
#include "import/collective_records.h"
#include "import/device_work.h"
#include "import/json_text.h"
#include "import/source_files.h"

namespace tauprof::kineto {
namespace {

TEST(Unescape, TurnsEscapesIntoText) {
  EXPECT_EQ(unescape("plain"), "plain");
  EXPECT_EQ(unescape(R"(a\n\t\"\\\/b)"), "a\n\t\"\\/b");
  EXPECT_EQ(unescape(R"(\u0041\u00e9\u20ac)"), "A\xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(unescape(R"(\ud83d\ude00!)"), "\xF0\x9F\x98\x80!");
}

TEST(Unescape, KeepsTextThatIsNoEscape) {
  EXPECT_EQ(unescape(R"(\q)"), R"(\q)");
  EXPECT_EQ(unescape(R"(\u12)"), R"(\u12)");
  EXPECT_EQ(unescape("end\\"), "end\\");
  EXPECT_EQ(unescape(R"(\ud83dx)"), "\xEF\xBF\xBDx");
  EXPECT_EQ(unescape(R"(\ude00)"), "\xEF\xBF\xBD");
}

TEST(CollectiveNames, KnowPyTorchsSpellings) {
  using log::Operation;
  EXPECT_EQ(operation_of("allreduce"), Operation::kAllReduce);
  EXPECT_EQ(operation_of("allreduce_coalesced"), Operation::kAllReduce);
  EXPECT_EQ(operation_of("_allgather_base"), Operation::kAllGather);
  EXPECT_EQ(operation_of("all_gather"), Operation::kAllGather);
  EXPECT_EQ(operation_of("_reduce_scatter_base"), Operation::kReduceScatter);
  EXPECT_EQ(operation_of("all_to_allv"), Operation::kAllToAll);
  EXPECT_EQ(operation_of("broadcast"), Operation::kBroadcast);
  EXPECT_EQ(operation_of("_reduce_oop"), Operation::kReduce);
  EXPECT_EQ(operation_of("gather"), Operation::kGather);
  EXPECT_EQ(operation_of("scatter"), Operation::kScatter);
  EXPECT_EQ(operation_of("send"), Operation::kSend);
  EXPECT_EQ(operation_of("recv"), Operation::kReceive);
  EXPECT_EQ(operation_of("barrier"), Operation::kBarrier);
  EXPECT_EQ(operation_of("wait"), Operation::kUnknown);
}

TEST(CollectiveNames, TellWhichKernelCarriesOutWhat) {
  using log::Operation;
  EXPECT_TRUE(may_carry_out("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", Operation::kAllReduce));
  EXPECT_TRUE(may_carry_out("ncclDevKernel_SendRecv(ncclDevComm*)", Operation::kAllToAll));
  EXPECT_FALSE(may_carry_out("ncclDevKernel_SendRecv(ncclDevComm*)", Operation::kAllReduce));
  EXPECT_FALSE(may_carry_out("ampere_sgemm_128x64_tn", Operation::kAllReduce));
}

TEST(RankList, IsReadWhenItIsWhole) {
  std::vector<int64_t> ranks;
  EXPECT_TRUE(read_rank_list("[0, 1,2]", ranks));
  EXPECT_EQ(ranks, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_TRUE(read_rank_list("[]", ranks));
  EXPECT_TRUE(ranks.empty());
  EXPECT_FALSE(read_rank_list("[0, 1, ...]", ranks));
  EXPECT_FALSE(read_rank_list("", ranks));
}

TEST(CopyKind, IsInTheName) {
  EXPECT_EQ(copy_kind_of("Memcpy HtoD (Pageable -> Device)"), log::CopyKind::kHostToDevice);
  EXPECT_EQ(copy_kind_of("Memcpy DtoH (Device -> Pinned)"), log::CopyKind::kDeviceToHost);
  EXPECT_EQ(copy_kind_of("Memcpy PtoP (Device -> Device)"), log::CopyKind::kPeerToPeer);
  EXPECT_EQ(copy_kind_of("Memcpy"), log::CopyKind::kUnknown);
}

TEST(SourceFiles, NameTheirRank) {
  EXPECT_EQ(rank_in_name("d/rank-3.json.gz"), 3);
  EXPECT_EQ(rank_in_name("d/rank_12.pt.trace.json"), 12);
  EXPECT_EQ(rank_in_name("Rank7.json"), 7);
  EXPECT_EQ(rank_in_name("worker0_step_12.1694128201545.pt.trace.json"), 0);
  EXPECT_EQ(rank_in_name("trace_5.json"), 5);
  EXPECT_EQ(rank_in_name("host_55988.1698958941985496084.pt.trace.json"), -1);
  EXPECT_EQ(rank_in_name("rank.json"), -1);
  EXPECT_EQ(rank_in_name("trace.json"), -1);
  EXPECT_EQ(rank_in_name("rank99999999999999999999.json"), -1);
}

TEST(SourceFiles, HaveAStem) {
  EXPECT_EQ(stem_of("d.x/rank-0.pt.trace.json.gz"), "rank-0");
  EXPECT_EQ(stem_of("trace.json"), "trace");
  EXPECT_EQ(stem_of(".json"), ".json");
}

}  // namespace
}  // namespace tauprof::kineto
