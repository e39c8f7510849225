// Phases by what PyTorch says of itself. marked_loop.h explains the letters of a loop.
#include "phases/marked_phases.h"

#include <gtest/gtest.h>

#include "marked_loop.h"
#include "phases/assign_phases.h"
#include "phases/host_time.h"
#include "phases/spoken_phases.h"

namespace tauprof {
namespace {

// One letter per phase: dataload_wait, h2d, Forward, backward, clipping, update, zero_grad_sched, gathering, other.
constexpr std::string_view kLetters = "dhFbcuzgo";

// The main thread's phase `offset` ns after each letter's time: 5 is inside its event, 0 between it and the one before.
std::string phases_of(MarkedLoop& loop, size_t letters, Nanoseconds offset = 5) {
  const ProcessTrace& trace = loop.found();
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, LaunchedWork(trace), PhaseRules::shipped());
  PhaseTrack::Cursor phases(tracks[0]);
  std::string result;
  for (size_t i = 0; i < letters; ++i) {
    const auto phase = phases.at(static_cast<Nanoseconds>(i) * MarkedLoop::kLetter + offset);
    result += phase ? kLetters[static_cast<size_t>(*phase)] : '?';
  }
  return result;
}

std::string phases_of(const std::string& letters, Nanoseconds offset = 5) {
  MarkedLoop loop(letters);
  return phases_of(loop, letters.size(), offset);
}

// Of what lies between each letter and the one before.
std::string gaps_of(const std::string& letters) { return phases_of(letters, 0); }

TEST(MarkedPhases, AreThoseOfTheMarks) { EXPECT_EQ(phases_of("fFbuzsS"), "dFbuzzo"); }

TEST(MarkedPhases, OfAsManyThreadsAsALogMayHave) {
  MarkedLoop loop("fFbuz");
  ProcessTrace& trace = loop.found();
  trace.threads.resize(65'536);
  EXPECT_EQ(marked_tracks(trace, LaunchedWork(trace), PhaseRules::shipped()).size(), trace.threads.size());
}

TEST(MarkedPhases, OfClippingAndScaling) {
  MarkedLoop loop("Fb..uz");
  loop.process.says(MarkKind::kUnscale, 22, 28);
  loop.process.says(MarkKind::kClip, 32, 38);
  loop.process.says(MarkKind::kScale, 62, 68);
  EXPECT_EQ(phases_of(loop, 7), "Fbccuzc");
}

TEST(MarkedPhases, BetweenForwardAndBackwardAreTheLoss) {
  EXPECT_EQ(phases_of("fF.k.bu"), "dFFFFbu");
  EXPECT_EQ(gaps_of("fF.k.bu"), "ooFFFFo") << "up to the backward pass and no further";
  EXPECT_EQ(phases_of("fF.F.bu"), "dFFFFbu") << "a loss that is a module";
}

TEST(MarkedPhases, OfForwardHoldWhatAPassWithoutGradientsPrepares) {
  EXPECT_EQ(phases_of("fekFbufekFbu").substr(6), "dFFFbu") << "a teacher's answer";
}

TEST(MarkedPhases, OfTheLossDoNotHoldTheNextBatchNorWhatIsRead) {
  EXPECT_EQ(phases_of("Fkcckbu"), "FFhhFbu");
  EXPECT_EQ(phases_of("Fkrbu"), "FFgbu");
}

TEST(MarkedPhases, BetweenTwoBackwardPassesAreTheSecondsLoss) {
  EXPECT_EQ(phases_of("FbkbkzkbFu"), "FbFbozobFu") << "a penalty on gradients, but not what follows clearing";
}

TEST(MarkedPhases, AfterAForwardPassWithoutBackwardAreOther) {
  EXPECT_EQ(phases_of("F.kFu.ku"), "FooFuoou");
  EXPECT_EQ(phases_of("Fukb"), "Fuob") << "the update ends it";
}

TEST(MarkedPhases, OfTheLossEndWithARangeThatNamesSomethingElse) {
  MarkedLoop loop("F.k.kb");
  loop.process.range("logging", 30, 39);
  EXPECT_EQ(phases_of(loop, 6), "FFFoob");
  MarkedLoop framework("F.k.kb");
  framework.process.range("aten::mul", 30, 39, log::RangeSource::kOperator);
  EXPECT_EQ(phases_of(framework, 6), "FFFFFb") << "an operator is no name that the user gave";
}

TEST(MarkedPhases, OfCopiesStartWhereTheBatchIsMade) {
  EXPECT_EQ(phases_of("bu.ccFb"), "budhhFb");
  EXPECT_EQ(gaps_of("bu.ccFb").substr(2), "ddhoF") << "from the update to the first copy";
  EXPECT_EQ(gaps_of("bufccFb").substr(2), "ohhoF") << "a fetch says itself how long it took";
}

TEST(MarkedPhases, OfCopiesStartWithTheCopyWhereTheThreadSaysWhenItFetches) {
  EXPECT_EQ(phases_of("fFbu.ccFb"), "dFbuohhFb") << "logging is no wait for data";
}

TEST(MarkedPhases, OfMessagesBetweenPassesAreOther) {
  MarkedLoop loop("Fk.kbu");
  HostCall& send = loop.process.call("ncclSend", 22, 28);
  send.call_class = CallClass::kCollective;
  send.collective = 0;
  ProcessTrace& trace = loop.found();
  trace.collectives.resize(1);
  trace.collectives[0].operation = log::Operation::kSend;
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, LaunchedWork(trace), PhaseRules::shipped());
  PhaseTrack::Cursor phases(tracks[0]);
  EXPECT_EQ(phases.at(15), Phase::kForward);
  EXPECT_EQ(phases.at(25), Phase::kOther);
  EXPECT_EQ(phases.at(35), Phase::kForward);
}

TEST(MarkedPhases, OfAWaitAreThoseOfWhatItWaitsFor) { EXPECT_EQ(phases_of("fcrFbur"), "dhhFbug"); }

TEST(MarkedPhases, OfKernelsElsewhereAreOther) { EXPECT_EQ(phases_of("fkFbkukzk"), "doFbouozo"); }

TEST(MarkedPhases, OfAnEvaluationAreOther) {
  EXPECT_EQ(phases_of("fFbufeffefFbu"), "dFbudoddodFbu");
  EXPECT_EQ(phases_of("feFbufeFbu"), "dFFbudFFbu") << "a teacher's forward pass is the step's";
}

TEST(MarkedPhases, OfRangesInsideAnEvaluationDoNotMakeItAPass) {
  MarkedLoop loop("fFbufefFbu");
  loop.process.range("DistributedDataParallel.forward", 53, 57, log::RangeSource::kAnnotation);
  EXPECT_EQ(phases_of(loop, 10), "dFbudodFbu");
}

TEST(MarkedPhases, AreThoseOfTheInnermostMark) {
  MarkedLoop loop;
  loop.process.says(MarkKind::kUpdate, 0, 100, 1);
  loop.process.says(MarkKind::kForward, 20, 30);
  loop.process.says(MarkKind::kZeroGrad, 40, 50);
  loop.process.says(MarkKind::kBackward, 60, 80);
  EXPECT_EQ(phases_of(loop, 10), "uuFFzFbbuu") << "a closure, with its loss";
}

TEST(MarkedPhases, OfForwardInsideBackwardAreBackward) {
  MarkedLoop loop("F......u");
  loop.process.says(MarkKind::kBackward, 20, 60);
  loop.process.says(MarkKind::kForward, 30, 40);
  EXPECT_EQ(phases_of(loop, 8), "FFbbbbou") << "computed again";
}

TEST(MarkedPhases, MayComeFromRanges) {
  MarkedLoop loop("F...bu");
  loop.process.range("clip_gradients", 42, 48);
  loop.process.range("batch_to_device", 10, 20);
  EXPECT_EQ(phases_of(loop, 6), "FhFFcu");
}

TEST(MarkedPhases, OfAutogradsThreadsAreBackward) {
  MarkedLoop loop("fF...u");
  loop.process.says(MarkKind::kBackward, 20, 50);
  loop.on("pt_autograd_0").at_letter(2).run("kkk");
  loop.process.says(MarkKind::kUpdate, 42, 48, 7);
  ProcessTrace& trace = loop.found();
  assign_phases(trace);
  std::string phases;
  for (const HostCall& call : trace.calls) phases += kLetters[static_cast<size_t>(call.phase)];
  EXPECT_EQ(phases, "bbu") << "but for an update inside";
}

// A reentrant checkpoint runs passes of its own there, one after the other.
TEST(MarkedPhases, OfAutogradsThreadsAreBackwardAlsoBetweenTheirPasses) {
  MarkedLoop loop("fF......u");
  loop.process.says(MarkKind::kBackward, 20, 80);
  loop.on("pt_autograd_0").at_letter(2).run("FkbFkb");
  ProcessTrace& trace = loop.found();
  assign_phases(trace);
  for (const HostCall& call : trace.calls) EXPECT_EQ(call.phase == Phase::kBackward, call.thread == 1) << call.start;
}

TEST(MarkedPhases, OfAStepsHostTimeAreTheTrainingThreads) {
  MarkedLoop loop("fFbuzfFbuz");
  loop.on("loader").at_letter(0).run("kkkkkkkkkk");
  const ProcessTrace& trace = loop.found();
  ASSERT_EQ(trace.steps.size(), 2u);
  const PerPhase<Nanoseconds> times = host_time_by_phase(trace).front().total;
  const auto time = [&](Phase phase) { return times[static_cast<size_t>(phase)]; };
  EXPECT_EQ(time(Phase::kDataloadWait), 6);
  EXPECT_EQ(time(Phase::kForward), 10) << "with the 4 ns up to the backward pass";
  EXPECT_EQ(time(Phase::kBackward), 6);
  EXPECT_EQ(time(Phase::kOptimStep), 6);
  EXPECT_EQ(time(Phase::kZeroGradSched), 6);
  EXPECT_EQ(time(Phase::kOther), 16);
}

// In traces without marks, ranges take their place. Letters stand for 10 ns: F, b, u, z ranges of the framework's, N
// one that names something else, s a marker of steps, c and r calls that copy input and read back, k a kernel.
std::string phases_of_ranges(std::string_view letters, Nanoseconds offset = 5) {
  TraceBuilder process;
  for (size_t i = 0; i < letters.size(); ++i) {
    const Nanoseconds start = static_cast<Nanoseconds>(i) * 10 + 2, end = start + 6;
    const auto range = [&](std::string_view name) {
      process.range(name, start, end, log::RangeSource::kAnnotation);
      process.call("cudaLaunchKernel", start + 1, start + 2);
    };
    switch (letters[i]) {
      case 'F':
        range("## forward ##");
        break;
      case 'b':
        range("## backward ##");
        break;
      case 'u':
        range("Optimizer.step#SGD.step");
        break;
      case 'N':
        range("## sparse_data_dist ##");
        break;
      case 'k':
        process.call("cudaLaunchKernel", start, end);
        break;
      case 'c':
        process.call("cudaMemcpyAsync", start, end).is_input_copy = true;
        break;
      case 'r':
        process.call("cudaStreamSynchronize", start, end);
        break;
      default:
        break;
    }
  }
  ProcessTrace& trace = process.build();
  EXPECT_TRUE(has_named_passes(trace, PhaseRules::shipped()));
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, LaunchedWork(trace), PhaseRules::shipped());
  PhaseTrack::Cursor phases(tracks[0]);
  std::string result;
  for (size_t i = 0; i < letters.size(); ++i) {
    const auto phase = phases.at(static_cast<Nanoseconds>(i) * 10 + offset);
    result += phase ? kLetters[static_cast<size_t>(*phase)] : '?';
  }
  return result;
}

TEST(PhasesOfRanges, AreThoseOfTheRanges) { EXPECT_EQ(phases_of_ranges("Fkb.u.r"), "FFbouog"); }

TEST(PhasesOfRanges, EndWhereARangeNamesSomethingElse) {
  EXPECT_EQ(phases_of_ranges("F.kN.kbu"), "FFFooobu") << "the loss ends there, and does not go on behind it";
}

TEST(PhasesOfRanges, AreNoUpdateOutsideOfItsRange) { EXPECT_EQ(phases_of_ranges("Fbkukk"), "Fbouoo"); }

TEST(PhasesOfRanges, OfInputAreItsCopies) { EXPECT_EQ(phases_of_ranges("uk.cFb"), "uodhFb"); }

TEST(PhasesOfRanges, OfForwardInsideBackwardAreBackward) {
  TraceBuilder process;
  process.range("forward", 0, 10);
  process.range("backward", 20, 50);
  process.range("nn.Module: Block_0", 25, 35, log::RangeSource::kPython);
  process.call("cudaLaunchKernel", 26, 27);
  const ProcessTrace& trace = process.build();
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, LaunchedWork(trace), PhaseRules::shipped());
  EXPECT_EQ(PhaseTrack::Cursor(tracks[0]).at(30), Phase::kBackward);
}

TEST(PhasesOfRanges, NeedBothPasses) {
  TraceBuilder process;
  process.range("DistributedDataParallel.forward", 0, 10, log::RangeSource::kAnnotation);
  process.call("cudaLaunchKernel", 1, 2);
  EXPECT_FALSE(has_named_passes(process.build(), PhaseRules::shipped()));
}

TEST(PhasesOfRanges, AreKnownByTheNamesOfSchedulesAndModules) {
  const PhaseRules& rules = PhaseRules::shipped();
  for (const char* name : {"ATTN(F)", "mlp (F)", "PP:0F1", "PP:12F3", "nn.Module: Linear_0", "## loss ##"})
    EXPECT_EQ(rules.phase_of_range(name), Phase::kForward) << name;
  for (const char* name : {"ATTN(B)", "MLP(W)", "PP:0B1", "PP:3I7", "PP:11W0"})
    EXPECT_EQ(rules.phase_of_range(name), Phase::kBackward) << name;
  for (const char* name :
       {"forward_backward", "forward-backward", "fwd_bwd", "PP:0UNSHARD", "PP:1SEND_F2", "## sparse_data_dist ##"})
    EXPECT_EQ(rules.phase_of_range(name), std::nullopt) << name;
}

}  // namespace
}  // namespace tauprof
