// Steps by what PyTorch says of itself. marked_loop.h explains the letters; a bar is the start of a step, a bracket the
// end of the last.
#include <gtest/gtest.h>

#include "marked_loop.h"
#include "steps/step_sources.h"

namespace tauprof {
namespace {

TEST(MarkedSteps, StartWithTheBatchAndHoldWhatFollowsTheUpdate) {
  EXPECT_EQ(steps_of("UfcFbuszrSfcFbuszr.."), "U|fcFbuszrS|fcFbuszr]..");
}

TEST(MarkedSteps, AccumulateUntilTheUpdate) { EXPECT_EQ(steps_of("UfcFbfcFbufcFbfcFbu."), "U|fcFbfcFbu|fcFbfcFbu]."); }

TEST(MarkedSteps, EndWithTheRoundOfAllOptimizers) {
  EXPECT_EQ(steps_of("UVfFbufFbufFbvfFbufFbufFbv."), "UV|fFbufFbufFbv|fFbufFbufFbv].");
}

TEST(MarkedSteps, FetchFromSeveralLoaders) {
  EXPECT_EQ(steps_of("ffcFbuzfcfcFbuzffcFbuz."), "|ffcFbuz|fcfcFbuz|ffcFbuz].");
}

TEST(MarkedSteps, StartWithTheCopyThatALoaderMakesBeforeItFetchesTheNextBatch) {
  EXPECT_EQ(steps_of("fcfFbuzcfFbuzrcfFbuz."), "|fcfFbuz|cfFbuzr|cfFbuz].");
}

TEST(MarkedSteps, StartWithInputCopiesWithoutALoader) {
  EXPECT_EQ(steps_of("cckFbuzrcckFbuz."), "|cckFbuzr|cckFbuz].");
}

TEST(MarkedSteps, MakeTheirInputBeforeTheyCopyIt) {
  const ProcessTrace& trace = MarkedLoop("cFbur.....cFbu.").found();
  ASSERT_EQ(trace.steps.size(), 2u);
  EXPECT_EQ(trace.steps[1].start, 48) << "when reading ended";
}

TEST(MarkedSteps, ClearFirstIfTheFirstDoes) {
  EXPECT_EQ(steps_of("zFburzFburzFbu."), "|zFbur|zFbur|zFbu].");
  EXPECT_EQ(steps_of("czFburczFbu."), "|czFbur|czFbu].") << "after the copy";
  EXPECT_EQ(steps_of("zcFburzcFbu."), "|zcFbur|zcFbu].") << "before the copy";
  EXPECT_EQ(steps_of("cFbuzcFbuz."), "|cFbuz|cFbuz].");
}

TEST(MarkedSteps, EndWithWhatIsReadWhereTheBatchWasFetchedAhead) {
  EXPECT_EQ(steps_of("fcFfcbuzrFfcbuzFfcbuz."), "|fcFfcbuzr|Ffcbuz|Ffcbuz].");
}

TEST(MarkedSteps, HoldAnEvaluationBehindThem) {
  EXPECT_EQ(steps_of("fcFbuzfcefcefcFbuz."), "|fcFbuzfcefce|fcFbuz].") << "that fetches";
  EXPECT_EQ(steps_of("cFbuzcecercFbuz."), "|cFbuzcecer|cFbuz].") << "that copies";
  EXPECT_EQ(steps_of("cFbuzcecerFbuz."), "|cFbuzcecer|Fbuz].") << "where the batch was fetched before";
}

TEST(MarkedSteps, HoldForwardPassesOfATeacher) {
  MarkedLoop loop("fceFbuzfceFbuzfcefceFbuz.");
  EXPECT_EQ(loop.steps("fceFbuzfceFbuzfcefceFbuz."), "|fceFbuz|fceFbuzfce|fceFbuz].");
  std::string evaluations;
  for (const FrameworkMark& mark : loop.found().marks)
    if (!mark.has_gradients) evaluations += mark.is_evaluation ? 'e' : 't';
  EXPECT_EQ(evaluations, "ttet");
}

TEST(MarkedSteps, HoldATeacherWithoutALoader) { EXPECT_EQ(steps_of("ceFbuzceFbuz."), "|ceFbuz|ceFbuz]."); }

TEST(MarkedSteps, MayEndInsideAnUpdateWithAClosure) {
  MarkedLoop loop;
  for (int step = 0; step < 3; ++step) {
    const Nanoseconds start = 100 * step;
    loop.process.says(MarkKind::kFetch, start, start + 10);
    loop.process.says(MarkKind::kUpdate, start + 20, start + 90, 1);
    loop.process.says(MarkKind::kForward, start + 30, start + 40);
    loop.process.says(MarkKind::kZeroGrad, start + 50, start + 52);
    loop.process.says(MarkKind::kBackward, start + 60, start + 80);
  }
  const ProcessTrace& trace = loop.found();
  ASSERT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.steps[1].start, 100);
}

TEST(MarkedSteps, OfUpdatesInsideTheBackwardPassEndWithIt) {
  MarkedLoop loop;
  for (int step = 0; step < 3; ++step) {
    const Nanoseconds start = 100 * step;
    loop.on("main").process.says(MarkKind::kForward, start + 10, start + 20);
    loop.process.says(MarkKind::kBackward, start + 30, start + 90);
    loop.on("pt_autograd_0");
    for (uint64_t parameter = 1; parameter <= 4; ++parameter)
      loop.process.says(MarkKind::kUpdate, start + 40 + 10 * parameter, start + 45 + 10 * parameter, parameter);
  }
  const ProcessTrace& trace = loop.found();
  ASSERT_EQ(trace.steps.size(), 3u);
  EXPECT_EQ(trace.steps[1].start, 90);
}

TEST(MarkedSteps, EndWithClearingWhereUpdatesAreCompiled) {
  EXPECT_EQ(steps_of("fFbzfFbzfFbz."), "|fFbz|fFbz|fFbz].");
  EXPECT_EQ(steps_of("fFbfFbzfFbfFbz."), "|fFbfFbz|fFbfFbz].") << "with micro-batches";
  EXPECT_EQ(steps_of("zfFbzfFbzfFb."), "z|fFbz|fFbz|fFb].") << "which may come first";
  EXPECT_LT(MarkedLoop("fFbzfFbzfFbz").found().steps_confidence, 1);
}

TEST(MarkedSteps, EndWithTheNextForwardWhereNothingIsCleared) { EXPECT_EQ(steps_of("fFbfFbfFb."), "|fFb|fFb|fFb]."); }

TEST(MarkedSteps, MayBeCompiledLater) { EXPECT_EQ(steps_of("fFbuzfFbuzfFbzfFbz."), "|fFbuz|fFbuz|fFbz|fFbz]."); }

TEST(MarkedSteps, AreNotEndedByClearingBetweenTwoPassesOfOne) {
  EXPECT_EQ(steps_of("fFbzFbzufFbzFbzu."), "|fFbzFbzu|fFbzFbzu].") << "gradients of two tasks";
  EXPECT_EQ(steps_of("fFbzFbzufFbz."), "|fFbzFbzu]fFbz.") << "nor where the log ends in between";
}

TEST(MarkedSteps, EndWithTheLaunchOfAGraphThatHoldsAnUpdate) {
  EXPECT_EQ(steps_of("cFbuzc(Fbuz)gcgcg."), "|cFbuz|c(Fbuz)g|cg|cg].") << "a capture is none";
  EXPECT_EQ(steps_of("cFbuvcFbuvc(Fbuv)gcgcg."), "|cFbuv|cFbuv|c(Fbuv)g|cg|cg].") << "of two optimizers";
}

TEST(MarkedSteps, AreNotEndedByAGraphWithoutUpdate) {
  EXPECT_EQ(steps_of("c(Fb)guzcguzcguz."), "|c(Fb)guz|cguz|cguz].");
}

TEST(MarkedSteps, AreForwardPassesWhereNothingIsTrained) {
  EXPECT_EQ(steps_of("fcerfcer."), "|fcer|fcer].");
  EXPECT_EQ(steps_of("cFrcFr."), "|cFr|cFr].") << "with gradients";
}

TEST(MarkedSteps, OfSeveralThreadsAreAllCounted) {
  MarkedLoop loop;
  for (Nanoseconds step = 0; step < 5; ++step) {
    loop.on("main").at_letter(10 * step).run("fFbu");
    for (int other = 1; other < 4; ++other) {
      loop.on("trainer " + std::to_string(other)).at_letter(10 * step + other);
      for (const char letter : std::string("fFb")) loop.run(std::string(1, letter));
      loop.process.says(MarkKind::kUpdate, 100 * step + 10 * other + 32, 100 * step + 10 * other + 38,
                        static_cast<uint64_t>(10 + other));
    }
  }
  const ProcessTrace& trace = loop.found();
  ASSERT_EQ(trace.steps.size(), 20u);
  for (size_t i = 1; i < 20; ++i) EXPECT_GE(trace.steps[i].start, trace.steps[i - 1].end) << i;
}

TEST(MarkedSteps, OfAThreadAloneHaveItsCallsThoughAnotherEndsAtTheSameTime) {
  MarkedLoop loop;
  loop.on("main").run("cFkbu");
  loop.on("trainer").at_letter(0).run("cFkb");
  loop.process.says(MarkKind::kUpdate, 42, 49, 10);  // of the same step's length, and 1 ns
  const ProcessTrace& trace = loop.found();
  ASSERT_EQ(trace.steps.size(), 2u);
  for (const HostCall& call : trace.calls)
    EXPECT_EQ(call.step, static_cast<int32_t>(trace.threads[call.thread].is_main ? 0 : 1));
}

TEST(MarkedSteps, WinOverMarkersInTheTraceAndLoseToTheUsers) {
  const std::string loop = "fFbufFbu";
  MarkedLoop marked(loop);
  marked.process.range("ProfilerStep#0", 0, 20);
  EXPECT_EQ(marked.found().steps_origin, StepOrigin::kPytorch);
  MarkedLoop chosen(loop);
  ProcessTrace& trace = chosen.process.build();
  trace.attributes["step_marker"] = "nvtx:mine";
  trace.step_marks = {{0, 0}, {40, 0}};
  find_host_steps(trace);
  EXPECT_EQ(trace.steps_origin, StepOrigin::kMarker);
  EXPECT_EQ(trace.steps.size(), 2u);
}

// When a process ends, PyTorch synchronises once more, maybe a second later.
TEST(MarkedSteps, TheLastOneEndsBeforeAWaitForNothing) {
  EXPECT_EQ(steps_of("fFburfFbur..."), "|fFbur|fFbur]...") << "a wait for the step's work";
  EXPECT_EQ(steps_of("fFburfFbur...r."), "|fFbur|fFbur]...r.") << "no launch between the two";
  EXPECT_EQ(steps_of("fFburfFbur.k.r."), "|fFbur|fFbur.k.r].") << "a wait for the kernel";
}

TEST(MarkedSteps, AreNotFoundByFetchingAlone) {
  EXPECT_NE(MarkedLoop("fkfkfk").found().steps_origin, StepOrigin::kPytorch);
}

}  // namespace
}  // namespace tauprof
