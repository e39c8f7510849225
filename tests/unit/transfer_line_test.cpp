// The line through transfers of several sizes, and where the protocol changes.
#include "metrics/link_model/transfer_line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "metrics/link_model/protocol_pieces.h"

namespace tauprof {
namespace {

using Points = std::vector<SizedTime>;

// 1 KB to 1 GB, a latency of 18 µs and 400 GB/s.
constexpr double kLatency = 18'000, kPerByte = 1 / 400.0;
constexpr size_t kAllSizes = 21;

Points line_of(size_t sizes = kAllSizes, double smallest = 1024, double ratio = 2) {
  Points points;
  for (double bytes = smallest; points.size() < sizes; bytes *= ratio)
    points.push_back({bytes, kLatency + kPerByte * bytes});
  return points;
}

void disturb(Points& points, double noise, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, noise);
  for (SizedTime& point : points) point.time_ns *= std::exp(normal(random));
}

void expect_true_terms(const TransferLine& line, double share) {
  EXPECT_TRUE(line.knows_latency());
  EXPECT_TRUE(line.knows_ns_per_byte());
  EXPECT_NEAR(line.latency_ns / kLatency, 1, share);
  EXPECT_NEAR(line.ns_per_byte / kPerByte, 1, share);
}

TEST(TransferLine, IsExactWithoutNoise) {
  const TransferLine line = fit_line(line_of());
  expect_true_terms(line, 1e-9);
  EXPECT_NEAR(line.r2, 1, 1e-9);
  EXPECT_NEAR(line.max_error, 0, 1e-9);
}

class Noise : public testing::TestWithParam<uint64_t> {};

TEST_P(Noise, OfThreePerCentLeavesLatencyAndBandwidthWithinFive) {
  Points points = line_of();
  disturb(points, 0.03, GetParam());
  const TransferLine line = fit_line(points);
  expect_true_terms(line, 0.05);
  EXPECT_GE(line.r2, 0.97);
  EXPECT_LT(line.mean_error, 0.04);
  EXPECT_LE(line.mean_error, line.max_error);
  EXPECT_EQ(protocol_pieces(points), std::vector<size_t>{0});
}

TEST_P(Noise, AndDisturbedSizesDoNotBendTheLine) {
  Points points = line_of();
  disturb(points, 0.03, GetParam());
  std::mt19937_64 random(GetParam());
  for (int i = 0; i < 3; ++i) points[random() % points.size()].time_ns *= 3;
  const TransferLine line = fit_line(points);
  expect_true_terms(line, 0.05);
  EXPECT_GT(line.max_error, 0.5) << "a disturbed size is part of the worst error";
  EXPECT_EQ(protocol_pieces(points), std::vector<size_t>{0});
}

TEST_P(Noise, HidesNoChangeOfProtocol) {
  // From 256 KB on twice the latency and bandwidth.
  Points points = line_of();
  constexpr size_t kChange = 8;
  for (size_t i = kChange; i < points.size(); ++i) points[i].time_ns = 2 * kLatency + kPerByte / 2 * points[i].bytes;
  disturb(points, 0.03, GetParam());
  ASSERT_EQ(protocol_pieces(points), (std::vector<size_t>{0, kChange}));
  const TransferLine first = fit_line(std::span(points).first(kChange));
  EXPECT_NEAR(first.latency_ns / kLatency, 1, 0.05);
  EXPECT_FALSE(first.knows_ns_per_byte()) << "128 KB take 328 ns beside 18 µs";
  const TransferLine second = fit_line(std::span(points).subspan(kChange));
  EXPECT_NEAR(second.latency_ns / (2 * kLatency), 1, 0.05);
  EXPECT_NEAR(second.ns_per_byte / (kPerByte / 2), 1, 0.05);
}

INSTANTIATE_TEST_SUITE_P(OfSeveralSeeds, Noise, testing::Range<uint64_t>(1, 11));

TEST(TransferLine, SaysThatTheLatencyOfLargeTransfersIsNotKnown) {
  Points points = line_of(6, 1 << 25);
  disturb(points, 0.03, 1);
  const TransferLine line = fit_line(points);
  EXPECT_FALSE(line.knows_latency());
  EXPECT_TRUE(line.knows_ns_per_byte());
  EXPECT_TRUE(line.knows_time_at(1 << 26));
  EXPECT_FALSE(line.knows_time_at(1 << 10));
}

TEST(TransferLine, SaysThatTheBandwidthOfSmallTransfersIsNotKnown) {
  Points points = line_of(6, 64);
  disturb(points, 0.03, 1);
  const TransferLine line = fit_line(points);
  EXPECT_TRUE(line.knows_latency());
  EXPECT_FALSE(line.knows_ns_per_byte());
  EXPECT_FALSE(line.knows_time_at(1 << 30));
}

TEST(TransferLine, HasNoNegativeTerm) {
  const Points falling{{1'000, 30'000}, {10'000, 29'000}, {100'000, 28'500}, {1'000'000, 28'000}};
  const TransferLine line = fit_line(falling);
  EXPECT_EQ(line.ns_per_byte, 0);
  EXPECT_FALSE(line.knows_ns_per_byte());
  const Points steep{{1'000, 10}, {10'000, 200}, {100'000, 3'000}, {1'000'000, 40'000}};
  EXPECT_EQ(fit_line(steep).latency_ns, 0);
  EXPECT_FALSE(fit_line(steep).knows_latency());
}

TEST(TransferLine, KnowsLessWhereOneOfFewSizesContradicts) {
  Points points = line_of(5, 1024, 32);
  points[2].time_ns *= 3;
  const TransferLine line = fit_line(points);
  EXPECT_FALSE(line.knows_latency() && line.knows_ns_per_byte());
}

TEST(ProtocolPieces, AreThreeForThreeProtocols) {
  Points points = line_of(24, 64);
  for (size_t i = 8; i < points.size(); ++i) points[i].time_ns *= i < 16 ? 1.5 : 3;
  EXPECT_EQ(protocol_pieces(points), (std::vector<size_t>{0, 8, 16}));
}

TEST(ProtocolPieces, NeedFourSizesThatSpreadEach) {
  Points points = line_of(7);
  for (size_t i = 4; i < points.size(); ++i) points[i].time_ns *= 3;
  EXPECT_EQ(protocol_pieces(points), std::vector<size_t>{0}) << "three sizes are no piece";
  points = line_of(12, 1024, 1.4);
  for (size_t i = 6; i < points.size(); ++i) points[i].time_ns *= 3;
  EXPECT_EQ(protocol_pieces(points), std::vector<size_t>{0}) << "six sizes within a factor of 5.4 are no piece";
}

TEST(ProtocolPieces, AreNotLookedForWhereSizesDoNotSpread) {
  EXPECT_EQ(protocol_pieces(line_of(8, 1 << 20, 1.05)), std::vector<size_t>{0});
  EXPECT_EQ(protocol_pieces(line_of(1)), std::vector<size_t>{0});
}

}  // namespace
}  // namespace tauprof
