// Which rank waits in which collective, and for whom.
#include <gtest/gtest.h>

#include "metrics/hangs/progress_of_job.h"

namespace tauprof {
namespace {

using log::Operation;

constexpr Nanoseconds kSecond = 1'000'000'000;
constexpr Nanoseconds kNow = 100 * kSecond;

// A job in which every rank has just been heard from and none has ended.
class Job {
 public:
  explicit Job(int ranks) : ranks_(ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      ranks_[rank].rank = rank;
      ranks_[rank].world_size = ranks;
      ranks_[rank].progress.last_sign = kNow;
    }
  }
  // The rank completed `completed` collectives of the communicator; a minute ago it called more, with `count` elements.
  void call(int rank, uint64_t communicator, int32_t size, int64_t completed, int64_t called, int64_t count = 1000) {
    CommunicatorProgress progress;
    progress.identity = communicator;
    progress.size = size;
    progress.completed = completed;
    progress.entered = called;
    for (int64_t sequence = completed + 1; sequence <= called; ++sequence)
      progress.recent.push_back(
          {sequence, count, kNow - 60 * kSecond, -1, Operation::kAllReduce, log::DataType::kFloat32});
    ranks_[rank].progress.communicators.push_back(progress);
  }
  RankProgress& of(int rank) { return ranks_[rank].progress; }
  std::vector<RankTimeline>& ranks() { return ranks_; }
  JobProgress progress() const { return progress_of_job(ranks_); }
  std::vector<std::pair<int32_t, SuspectReason>> suspects() const {
    std::vector<std::pair<int32_t, SuspectReason>> result;
    for (const Suspect& suspect : progress().suspects) result.emplace_back(suspect.rank, suspect.reason);
    return result;
  }

 private:
  std::vector<RankTimeline> ranks_;
};

using Suspects = std::vector<std::pair<int32_t, SuspectReason>>;

TEST(JobProgress, NamesTheRankThatHasNotArrived) {
  Job job(3);
  job.call(0, 7, 3, 40, 41);
  job.call(1, 7, 3, 40, 42);
  job.call(2, 7, 3, 40, 40);
  const JobProgress progress = job.progress();
  EXPECT_TRUE(progress.is_stuck);
  ASSERT_TRUE(progress.communicators.at(0).waiting);
  const WaitingCollective& waiting = *progress.communicators[0].waiting;
  EXPECT_EQ(waiting.call.sequence, 41);
  EXPECT_EQ(waiting.waited, 60 * kSecond);
  EXPECT_EQ(waiting.entered, (std::vector<int32_t>{0, 1}));
  EXPECT_EQ(waiting.not_entered, (std::vector<int32_t>{2}));
  EXPECT_EQ(job.suspects(), (Suspects{{2, SuspectReason::kElsewhere}}));
}

TEST(JobProgress, NamesTheRankThatCalledSomethingElse) {
  Job job(3);
  for (int rank : {0, 1, 2}) job.call(rank, 7, 3, 40, 41, rank == 1 ? 999 : 1000);
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kDifferentCall}}));
}

TEST(JobProgress, SuspectsBothOfTwoRanksThatDisagree) {
  Job job(2);
  for (int rank : {0, 1}) job.call(rank, 7, 2, 0, 1, 1000 + rank);
  EXPECT_EQ(job.suspects(), (Suspects{{0, SuspectReason::kDifferentCall}, {1, SuspectReason::kDifferentCall}}));
}

TEST(JobProgress, DoesNotSuspectARankThatIsHeldUpItself) {
  Job job(3);
  job.call(0, 7, 2, 10, 11);  // waits for rank 1, which waits for rank 2 elsewhere
  job.call(1, 7, 2, 10, 10);
  job.call(1, 8, 2, 5, 6);
  job.call(2, 8, 2, 5, 5);
  EXPECT_EQ(job.suspects(), (Suspects{{2, SuspectReason::kElsewhere}}));
}

TEST(JobProgress, DistinguishesSilentRanksFromBusyOnes) {
  Job job(3);
  for (int rank : {0, 1, 2}) job.call(rank, 7, 3, 40, rank == 0 ? 41 : 40);
  job.of(1).last_sign = kNow - 5 * kSecond;
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kSilent}, {2, SuspectReason::kElsewhere}}));
}

TEST(JobProgress, NamesTheRankWithoutALog) {
  Job job(3);
  for (int rank : {0, 1, 2}) job.call(rank, 7, 3, 40, 41);
  job.of(0).is_in_call = true;
  job.of(0).since = kNow - 60 * kSecond;
  job.ranks().erase(job.ranks().begin() + 1);
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kNoLog}}));
}

TEST(JobProgress, DoesNotMistakeLateDeviceRecordsForAHang) {
  Job job(2);
  for (int rank : {0, 1}) job.call(rank, 7, 2, 40, 41);
  EXPECT_FALSE(job.progress().is_stuck) << "no rank is inside a call";
}

// All hosts have called number 41 a minute ago and nothing since; rank 1 gives no sign of life.
Job frozen_behind_its_launches() {
  Job job(3);
  for (int rank : {0, 1, 2}) {
    job.call(rank, 7, 3, 40, 41);
    job.of(rank).has_device_times = true;
    job.of(rank).since = kNow - 60 * kSecond;
  }
  job.of(1).last_sign = kNow - 58 * kSecond;
  return job;
}

TEST(JobProgress, ASilentRankHasNotComeToWhatItsHostHasCalled) {
  const Job job = frozen_behind_its_launches();
  EXPECT_TRUE(job.progress().is_stuck);
  EXPECT_TRUE(job.progress().hangs());
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kSilent}}));
}

TEST(JobProgress, WaitsForASilentRankThroughOtherCommunicators) {
  Job job(3);  // 0 waits for 1 in A; 1 and 2 have called B, and 2 is silent
  job.call(0, 7, 2, 10, 11);
  job.call(1, 7, 2, 10, 10);
  job.call(1, 8, 2, 5, 6);
  job.call(2, 8, 2, 5, 6);
  for (int rank : {0, 1, 2}) job.of(rank).has_device_times = true;
  job.of(2).last_sign = kNow - 58 * kSecond;
  EXPECT_EQ(job.suspects(), (Suspects{{2, SuspectReason::kSilent}}));
}

TEST(JobProgress, WithoutDeviceTimesRanksThatGoOnDoNotWait) {
  Job job = frozen_behind_its_launches();
  for (int rank : {0, 1, 2}) job.of(rank).has_device_times = false;
  EXPECT_TRUE(job.progress().is_stuck) << "they have done nothing for a minute";
  for (int rank : {0, 2}) job.of(rank).since = kNow - kSecond;
  EXPECT_FALSE(job.progress().is_stuck);
}

TEST(JobProgress, WaitsNoLongerThanSinceTheDeviceWorkedLast) {
  Job job = frozen_behind_its_launches();
  for (int rank : {0, 2}) job.of(rank).device_until = kNow - kSecond;
  EXPECT_FALSE(job.progress().is_stuck) << "hosts run ahead";
  EXPECT_EQ(job.progress().communicators.at(0).waiting->waited, 2 * kSecond)
      << "of the silent rank, until its last sign";
}

TEST(JobProgress, IsStuckOnlyAfterTheLongestStep) {
  Job job = frozen_behind_its_launches();
  job.ranks()[0].steps.push_back({0, Interval{0, 70 * kSecond}, {}});
  EXPECT_FALSE(job.progress().is_stuck);
  job.ranks()[0].steps_source = kByTime;  // a slice of time is no step
  EXPECT_TRUE(job.progress().is_stuck);
}

TEST(JobProgress, ARankThatIsAliveMayStillCome) {
  Job job(2);
  for (int rank : {0, 1}) job.call(rank, 7, 2, 40, 41 - rank);
  EXPECT_TRUE(job.progress().is_stuck);
  EXPECT_FALSE(job.progress().hangs());
  job.of(0).communicators[0].recent[0].called = kNow - 601 * kSecond;
  EXPECT_TRUE(job.progress().hangs()) << "frameworks give up";
}

TEST(JobProgress, ALogThatEndsEarlierMakesNoSuspectOfARankThatIsKnownToHaveCome) {
  Job job(2);
  job.call(0, 7, 2, 90, 91);
  job.call(1, 7, 2, 40, 41);  // its log was copied 58 s earlier
  job.of(0).communicators[0].met = 90;
  job.of(0).communicators[0].met_at = kNow - kSecond;
  job.of(0).communicators[0].recent[0].called = kNow - kSecond;
  job.of(1).last_sign = kNow - 58 * kSecond;
  EXPECT_FALSE(job.progress().is_stuck);
  EXPECT_EQ(job.suspects(), Suspects{});
}

TEST(JobProgress, AKilledRankIsSilentThoughItsLogLacksItsLastCalls) {
  Job job(2);
  job.call(0, 7, 2, 42, 43);
  job.call(1, 7, 2, 40, 41);
  job.of(0).communicators[0].met = 42;
  job.of(0).communicators[0].met_at = kNow - 58 * kSecond + 100'000'000;
  job.of(1).last_sign = kNow - 58 * kSecond;
  EXPECT_TRUE(job.progress().hangs());
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kSilent}}));
}

TEST(JobProgress, ARankThatHasEndedWaitsForNobody) {
  Job job(2);
  for (int rank : {0, 1}) job.call(rank, 7, 2, 40, 41 - rank);
  job.of(0).is_closed = true;
  job.of(0).last_sign = kNow - 59 * kSecond;  // it called 41 and did not wait for it
  EXPECT_FALSE(job.progress().is_stuck);
}

TEST(JobProgress, IsNotStuckWhileWaitsAreShort) {
  Job job(2);
  for (int rank : {0, 1}) job.call(rank, 7, 2, 40, 41 - rank);
  job.of(0).communicators[0].recent[0].called = kNow - kSecond;
  EXPECT_FALSE(job.progress().is_stuck);
  EXPECT_TRUE(job.progress().communicators[0].waiting);
  EXPECT_EQ(job.suspects(), Suspects{});
}

TEST(JobProgress, SuspectsNobodyInAFinishedJob) {
  Job job(2);
  for (int rank : {0, 1}) {
    job.call(rank, 7, 2, 40, 41 - rank);
    job.of(rank).is_closed = true;
  }
  EXPECT_TRUE(job.progress().is_finished);
  EXPECT_EQ(job.suspects(), Suspects{});
}

// A message that the rank has called but its device has not executed.
void message(Job& job, int rank, int32_t peer, log::Operation operation, int64_t count = 500) {
  RankProgress& progress = job.of(rank);
  progress.has_device_times = progress.has_all_calls = true;
  progress.messages.push_back({7, 1, {1, count, kNow - 60 * kSecond, peer, operation, log::DataType::kFloat32, 0, {}}});
  progress.message_calls.push_back({7, peer, operation == Operation::kSend, 1, {progress.messages.back().call}});
}

Job members_of_one_communicator(int ranks) {
  Job job(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    job.call(rank, 7, ranks, 0, 0);
    job.of(rank).communicators[0].rank = rank;
    job.of(rank).has_all_calls = true;
  }
  return job;
}

TEST(JobProgress, NamesTheRankThatDoesNotSend) {
  Job job = members_of_one_communicator(3);
  message(job, 2, 1, Operation::kReceive);
  const JobProgress progress = job.progress();
  ASSERT_EQ(progress.messages.size(), 1u);
  EXPECT_EQ(progress.messages[0].source, 1);
  EXPECT_EQ(progress.messages[0].destination, 2);
  EXPECT_FALSE(progress.messages[0].send);
  EXPECT_EQ(progress.messages[0].waited, 60 * kSecond);
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kElsewhere}}));
}

TEST(JobProgress, DoesNotWaitForACompletedSend) {
  Job job = members_of_one_communicator(2);
  message(job, 1, 0, Operation::kReceive);
  job.of(0).message_calls.push_back({7, 1, true, 1, {job.of(1).messages[0].call}});  // buffered: the sender moved on
  EXPECT_TRUE(job.progress().messages.empty());
  EXPECT_EQ(job.suspects(), Suspects{});
}

TEST(JobProgress, SuspectsBothSidesOfAMismatchedMessage) {
  Job job = members_of_one_communicator(2);
  message(job, 0, 1, Operation::kSend, 100);
  message(job, 1, 0, Operation::kReceive, 200);
  EXPECT_EQ(job.suspects(), (Suspects{{0, SuspectReason::kDifferentCall}, {1, SuspectReason::kDifferentCall}}));
}

TEST(JobProgress, ComparesAReceiveWithACompletedSend) {
  Job job = members_of_one_communicator(2);
  message(job, 1, 0, Operation::kReceive, 500);
  CalledCollective sent = job.of(1).messages[0].call;
  sent.count = 250;
  job.of(0).message_calls.push_back({7, 1, true, 1, {sent}});
  EXPECT_EQ(job.progress().messages.at(0).send->count, 250);
  EXPECT_EQ(job.suspects(), (Suspects{{0, SuspectReason::kDifferentCall}, {1, SuspectReason::kDifferentCall}}));
}

TEST(JobProgress, FollowsAPipelineToTheStuckStage) {
  Job job = members_of_one_communicator(4);  // 0 -> 1 -> 2 -> 3; rank 1 is stuck
  message(job, 0, 1, Operation::kSend);
  message(job, 2, 1, Operation::kReceive);
  message(job, 3, 2, Operation::kReceive);
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kElsewhere}}));
}

TEST(JobProgress, FindsSendsThatWaitForEachOther) {
  Job job = members_of_one_communicator(2);
  for (int rank : {0, 1}) {
    message(job, rank, 1 - rank, Operation::kSend);
    message(job, rank, 1 - rank, Operation::kReceive);
    job.of(rank).messages[1].call.called += 1000;
    job.of(rank).is_in_call = true;
    job.of(rank).since = kNow - 60 * kSecond;
  }
  EXPECT_EQ(job.suspects(), (Suspects{{0, SuspectReason::kDeadlock}, {1, SuspectReason::kDeadlock}}));
}

TEST(JobProgress, NamesTheRankThatIsNotInsideNcclWithTheOthers) {
  Job job(3);
  for (int rank : {0, 1, 2}) {
    job.of(rank).call = rank == 1 ? "cudaMalloc" : "ncclCommInitRank";
    job.of(rank).is_in_call = rank != 1;
    job.of(rank).since = kNow - 60 * kSecond;
  }
  EXPECT_TRUE(job.progress().is_stuck);
  EXPECT_EQ(job.progress().inside_nccl, (std::vector<int32_t>{0, 2}));
  EXPECT_EQ(job.suspects(), (Suspects{{1, SuspectReason::kElsewhere}}));
}

TEST(JobProgress, ReportsTheFirstOfSeveralHangs) {
  Job job(2);
  for (int rank : {0, 1}) {
    job.call(rank, 7, 2, 40, 43);
    job.of(rank).has_device_times = true;
  }
  job.of(0).is_in_call = true;
  job.of(0).since = kNow - 60 * kSecond;
  EXPECT_EQ(job.progress().communicators.at(0).waiting->call.sequence, 41);
}

}  // namespace
}  // namespace tauprof
