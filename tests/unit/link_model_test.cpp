// Which collectives tell the latency and bandwidth of links, and what the model says of sizes that nobody measured.
#include "metrics/link_model/link_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "metrics/link_model/algorithm_steps.h"
#include "run_builder.h"

namespace tauprof {
namespace {

using log::Operation;

constexpr double kAlpha = 3'000, kBeta = 400;  // ns; bytes per ns

double true_time(Operation operation, int32_t ranks, double bytes) {
  const double share = static_cast<double>(ranks - 1) / ranks;
  const double factor = operation == Operation::kAllReduce ? 2 * share : share;
  return kAlpha * step_count(operation, CollectiveAlgorithm::kRing, ranks) + factor * bytes / kBeta;
}

// Sizes from 1 KiB to `largest`, each measured once, without noise.
std::pair<LinkKind, TransfersOfKind> swept(int32_t ranks, int32_t hosts = 1, double alpha_per_step = 1,
                                           double largest = 1 << 30) {
  TransfersOfKind transfers;
  for (double bytes = 1024; bytes <= largest; bytes *= 2)
    transfers.sizes.push_back({bytes, alpha_per_step * true_time(Operation::kAllReduce, ranks, bytes), 1});
  transfers.from_bytes = 1024;
  transfers.to_bytes = std::llround(transfers.sizes.back().bytes);
  return {{Operation::kAllReduce, ranks, hosts, CollectiveAlgorithm::kUnknown}, transfers};
}

TEST(StepCount, IsThatOfRingsAndTrees) {
  const auto of = [](Operation operation, CollectiveAlgorithm algorithm) {
    return step_count(operation, algorithm, 5);
  };
  EXPECT_EQ(of(Operation::kAllReduce, CollectiveAlgorithm::kRing), 8);
  EXPECT_EQ(of(Operation::kAllReduce, CollectiveAlgorithm::kUnknown), 8);
  EXPECT_EQ(of(Operation::kAllReduce, CollectiveAlgorithm::kTree), 6);
  EXPECT_EQ(step_count(Operation::kAllReduce, CollectiveAlgorithm::kTree, 8), 6);
  EXPECT_EQ(of(Operation::kAllGather, CollectiveAlgorithm::kRing), 4);
  EXPECT_EQ(of(Operation::kReduceScatter, CollectiveAlgorithm::kPat), 3);
  EXPECT_EQ(of(Operation::kAllReduce, CollectiveAlgorithm::kNvls), 1);
  EXPECT_EQ(of(Operation::kAllToAll, CollectiveAlgorithm::kUnknown), 4);
  EXPECT_EQ(of(Operation::kBroadcast, CollectiveAlgorithm::kRing), 0);
  EXPECT_EQ(step_count(Operation::kAllReduce, CollectiveAlgorithm::kRing, 1), 0);
}

TEST(CollectiveAlgorithm, IsKnownByNcclsName) {
  EXPECT_EQ(algorithm_of("Ring"), CollectiveAlgorithm::kRing);
  EXPECT_EQ(algorithm_of("NVLSTree"), CollectiveAlgorithm::kNvlsTree);
  EXPECT_EQ(algorithm_of("nvls_tree"), CollectiveAlgorithm::kNvlsTree);
  EXPECT_EQ(algorithm_of("CollNetDirect"), CollectiveAlgorithm::kCollNetDirect);
  EXPECT_EQ(algorithm_of(""), CollectiveAlgorithm::kUnknown);
  EXPECT_EQ(algorithm_of("Rings"), CollectiveAlgorithm::kUnknown);
}

TEST(LinkModel, HasAlphaOfAStepAndBetaOfALink) {
  const LinkModel model = link_model({swept(4)});
  ASSERT_EQ(model.fits.size(), 1u);
  const LinkFit& fit = model.fits[0];
  EXPECT_EQ(fit.unknown(), LinkUnknown::kNothing);
  EXPECT_EQ(fit.steps, 6);
  EXPECT_NEAR(fit.alpha_us().value(), kAlpha / 1e3, 1e-6);
  EXPECT_NEAR(fit.beta_gb_per_s().value(), kBeta, 1e-6);
  EXPECT_EQ(fit.kind.algorithm, CollectiveAlgorithm::kUnknown) << "one communicator size cannot tell";
}

TEST(LinkModel, PredictsSizesThatNobodyMeasured) {
  const LinkModel model = link_model({swept(4)});
  EXPECT_NEAR(model.predict(Operation::kAllReduce, 4, 3e6).value(), true_time(Operation::kAllReduce, 4, 3e6), 1);
  EXPECT_NEAR(model.predict(Operation::kAllReduce, 4, 3e9).value(), true_time(Operation::kAllReduce, 4, 3e9), 10);
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 4, 5e9)) << "over four times the largest";
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 4, 200)) << "under a quarter of the smallest";
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 4, 0));
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 8, 3e6));
  EXPECT_FALSE(model.predict(Operation::kAllGather, 4, 3e6));
}

TEST(LinkModel, PredictsWithThePieceOfTheSize) {
  auto transfers = swept(4);
  for (TransfersOfSize& size : transfers.second.sizes)
    if (size.bytes >= 1 << 20) size.median_ns *= 2;
  const LinkModel model = link_model({transfers});
  ASSERT_EQ(model.fits.size(), 2u);
  EXPECT_EQ(model.fits[0].to_bytes, 1 << 19);
  EXPECT_EQ(model.fits[1].from_bytes, 1 << 20);
  EXPECT_NEAR(model.predict(Operation::kAllReduce, 4, 3e5).value(), true_time(Operation::kAllReduce, 4, 3e5), 1);
  EXPECT_NEAR(model.predict(Operation::kAllReduce, 4, 3e6).value(), 2 * true_time(Operation::kAllReduce, 4, 3e6), 1);
}

TEST(LinkModel, PredictsNothingIfLinksOfSeveralKindsFit) {
  const LinkModel model = link_model({swept(4, 1), swept(4, 4, 5)});
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 4, 1e6));
  const double alone = model.predict(Operation::kAllReduce, 4, 1e6, 1).value();
  EXPECT_NEAR(model.predict(Operation::kAllReduce, 4, 1e6, 4).value(), 5 * alone, 1);
}

TEST(LinkModel, PredictsTimesNearSizesThatDoNotSpread) {
  auto narrow = swept(4, 1, 1, 512 << 20);
  narrow.second.sizes.erase(narrow.second.sizes.begin(), narrow.second.sizes.end() - 3);  // 128 to 512 MiB
  narrow.second.from_bytes = 128 << 20;
  const LinkModel model = link_model({narrow});
  EXPECT_EQ(model.fits[0].unknown(), LinkUnknown::kFewSizes);
  const double bytes = 256 << 20;
  EXPECT_NEAR(model.predict(Operation::kAllReduce, 4, bytes).value(), true_time(Operation::kAllReduce, 4, bytes), 10);
  EXPECT_EQ(model.fit_for(Operation::kAllReduce, 4, bytes), nullptr) << "neither latency nor bandwidth is told";
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 4, 16 << 20)) << "under a quarter of the smallest";
}

TEST(LinkModel, PredictsNothingFromOneSize) {
  const LinkModel model = link_model({swept(4, 1, 1, 1024)});
  ASSERT_EQ(model.fits.size(), 1u);
  EXPECT_EQ(model.fits[0].unknown(), LinkUnknown::kOneSize);
  EXPECT_FALSE(model.fits[0].alpha_us());
  EXPECT_FALSE(model.fits[0].beta_gb_per_s());
  EXPECT_FALSE(model.predict(Operation::kAllReduce, 4, 1024));
}

TEST(LinkModel, TellsARingFromATreeByTwoCommunicatorSizes) {
  const LinkModel ring = link_model({swept(2), swept(4)});
  for (const LinkFit& fit : ring.fits) {
    EXPECT_EQ(fit.kind.algorithm, CollectiveAlgorithm::kRing);
    EXPECT_TRUE(fit.is_inferred);
  }
  // Of 4 ranks a tree has 4 steps instead of 6.
  auto four = swept(4);
  for (TransfersOfSize& size : four.second.sizes) size.median_ns -= 2 * kAlpha;
  const LinkModel tree = link_model({swept(2), four});
  for (const LinkFit& fit : tree.fits) {
    EXPECT_EQ(fit.kind.algorithm, CollectiveAlgorithm::kTree);
    EXPECT_NEAR(fit.alpha_us().value(), kAlpha / 1e3, 1e-6);
  }
  EXPECT_EQ(tree.fits[1].steps, 4);
}

TEST(LinkModel, TellsNoAlgorithmWhereLinksDiffer) {
  for (const LinkFit& fit : link_model({swept(2, 1), swept(4, 4)}).fits)
    EXPECT_EQ(fit.kind.algorithm, CollectiveAlgorithm::kUnknown) << "one host and four";
  for (const LinkFit& fit : link_model({swept(2, 0), swept(4, 0)}).fits)
    EXPECT_EQ(fit.kind.algorithm, CollectiveAlgorithm::kUnknown) << "nobody knows which hosts";
  for (const LinkFit& fit : link_model({swept(2), swept(4, 1, 3)}).fits)
    EXPECT_EQ(fit.kind.algorithm, CollectiveAlgorithm::kUnknown) << "neither fits";
}

// --- what counts as a transfer ---

constexpr int kRanks = 4;

// One all-reduce of 4 × count bytes on all ranks; rank 0 arrives 5 µs before the others.
void add_all_reduce(RunBuilder& run, int64_t count, Nanoseconds time, Operation operation = Operation::kAllReduce) {
  const Nanoseconds start = 10'000'000 * static_cast<Nanoseconds>(run.ranks()[0].collectives.size());
  for (int rank = 0; rank < kRanks; ++rank) {
    RankCollective& own = run.collective(rank, rank == 0 ? start - 5'000 : start, start + time, 1, operation, count);
    own.communicator_size = kRanks;
  }
}

std::map<LinkKind, TransfersOfKind> transfers_of(RunBuilder& run) {
  for (RankTimeline& rank : run.ranks())
    if (rank.host.empty()) rank.host = "node";
  return transfers_by_size(run.ranks(), match_collectives(run.ranks()), select_steps(run.ranks(), std::nullopt));
}

TEST(TransfersBySize, AreMediansOfTheShortestSpans) {
  RunBuilder run(kRanks);
  for (const Nanoseconds time : {20'000, 90'000, 21'000}) add_all_reduce(run, 250, time);
  add_all_reduce(run, 500, 30'000);
  const auto transfers = transfers_of(run);
  ASSERT_EQ(transfers.size(), 1u);
  const auto& [kind, found] = *transfers.begin();
  EXPECT_EQ(kind.operation, Operation::kAllReduce);
  EXPECT_EQ(kind.ranks, kRanks);
  EXPECT_EQ(kind.hosts, 1);
  ASSERT_EQ(found.sizes.size(), 2u);
  EXPECT_EQ(found.sizes[0].bytes, 1'000);
  EXPECT_EQ(found.sizes[0].median_ns, 21'000);
  EXPECT_EQ(found.sizes[0].count, 3u);
  EXPECT_EQ(found.sizes[1].median_ns, 30'000);
}

TEST(TransfersBySize, AreNotOfGroupsNorOfUnequalParts) {
  RunBuilder run(kRanks);
  add_all_reduce(run, 250, 20'000);
  for (RankTimeline& rank : run.ranks()) rank.collectives.back().is_of_several = true;
  add_all_reduce(run, 250, 20'000, Operation::kAllToAll);
  run.ranks()[1].collectives.back().count = 300;
  EXPECT_TRUE(transfers_of(run).empty());
}

TEST(TransfersBySize, AreNotOfRootedOperationsNorWithoutARank) {
  RunBuilder run(kRanks);
  add_all_reduce(run, 250, 20'000, Operation::kBroadcast);
  add_all_reduce(run, 250, 20'000);
  run.ranks()[3].collectives.pop_back();
  EXPECT_TRUE(transfers_of(run).empty());
}

TEST(TransfersBySize, AreOfUnnamedCommunicatorsOnlyWhereMembersEndTogether) {
  RunBuilder run(kRanks);
  for (int rank = 0; rank < kRanks; ++rank) run.collective(rank, 0, 20'000, 0);
  EXPECT_TRUE(transfers_of(run).empty());
  for (RankTimeline& rank : run.ranks()) rank.collectives.back().is_split = true;
  EXPECT_EQ(transfers_of(run).size(), 1u);
}

TEST(TransfersBySize, KeepHostsAndAlgorithmsApart) {
  RunBuilder run(kRanks);
  run.ranks()[3].host = "another";
  add_all_reduce(run, 250, 20'000);
  add_all_reduce(run, 250, 20'000);
  for (RankTimeline& rank : run.ranks()) rank.collectives.back().algorithm = CollectiveAlgorithm::kTree;
  const auto transfers = transfers_of(run);
  ASSERT_EQ(transfers.size(), 2u);
  EXPECT_EQ(transfers.begin()->first.hosts, 2);
  EXPECT_EQ(transfers.rbegin()->first.algorithm, CollectiveAlgorithm::kTree);
  EXPECT_FALSE(link_model(transfers).fits[1].is_inferred);
}

TEST(TransfersBySize, PutManySizesTogether) {
  RunBuilder run(kRanks);
  for (int64_t i = 0; i < 300; ++i) {
    const int64_t count = 1'000 + 10'000 * i;
    add_all_reduce(run, count,
                   std::llround(true_time(Operation::kAllReduce, kRanks, 4.0 * static_cast<double>(count))));
  }
  const LinkModel model = link_model(transfers_of(run));
  ASSERT_EQ(model.fits.size(), 1u);
  EXPECT_LE(model.fits[0].sizes, 64u);
  EXPECT_EQ(model.fits[0].count, 300u);
  EXPECT_EQ(model.fits[0].from_bytes, 4'000);
  EXPECT_EQ(model.fits[0].to_bytes, 4 * (1'000 + 299 * 10'000));
  EXPECT_NEAR(model.fits[0].alpha_us().value() * 1e3 / kAlpha, 1, 0.05);
  EXPECT_NEAR(model.fits[0].beta_gb_per_s().value() / kBeta, 1, 0.05);
}

// Every size nine times with 3 % of noise, and one time in ten beside other traffic that makes it three times as long.
TEST(TransfersBySize, GiveTheTrueLinkInSpiteOfOutliers) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal(0, 0.03);
    RunBuilder run(kRanks);
    for (int64_t count = 256; count <= 1 << 28; count *= 2)
      for (int time = 0; time < 9; ++time) {
        const double noise = std::exp(normal(random)) * (random() % 10 == 0 ? 3 : 1);
        add_all_reduce(
            run, count,
            std::llround(noise * true_time(Operation::kAllReduce, kRanks, 4.0 * static_cast<double>(count))));
      }
    const LinkModel model = link_model(transfers_of(run));
    ASSERT_EQ(model.fits.size(), 1u) << seed;
    EXPECT_NEAR(model.fits[0].alpha_us().value() * 1e3 / kAlpha, 1, 0.05) << seed;
    EXPECT_NEAR(model.fits[0].beta_gb_per_s().value() / kBeta, 1, 0.05) << seed;
    EXPECT_GE(model.fits[0].line->r2, 0.97) << seed;
  }
}

}  // namespace
}  // namespace tauprof
