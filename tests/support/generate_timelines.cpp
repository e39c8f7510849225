// tauprof-generate-timelines: writes the timelines of a job of thousands of ranks, without logs, to measure how they
// are compared.
//
// Eight ranks a host compute, and meet in turn with those of their host and with those of their number on every host;
// at the end of a step, with all. One of them computes longer. Each host's clock is off by seconds and drifts.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "random.h"
#include "timelines/host_timeline_writer.h"

namespace {

using namespace tauprof;

constexpr int32_t kRanksOfHost = 8;
constexpr Nanoseconds kStart = 1'000'000'000, kCompute = 2'000'000, kTransfer = 300'000, kLaunchedBefore = 5'000'000;
constexpr int64_t kJitterPermille = 20, kSlowPermille = 1'250;

struct Shape {
  int32_t ranks = 16'384;
  int32_t steps = 20;
  int32_t collectives_of_step = 50;
  int32_t slow_rank = 11;
};

struct Group {
  uint64_t identity;
  int32_t size, number;  // of members, and which of them
};

class Job {
 public:
  explicit Job(const Shape& shape) : shape_(shape), hosts_(shape.ranks / kRanksOfHost) {
    for (int32_t collective = 0; collective < count(); ++collective) run(collective);
  }

  ReducedLog log_of(int32_t rank) const {
    ReducedLog log;
    log.is_replayed = true;
    RankTimeline& timeline = log.ranks.emplace_back();
    describe(rank, timeline);
    std::vector<SpentBefore> spent(static_cast<size_t>(count()));
    SpentTime so_far;
    Nanoseconds free_since = kStart;
    for (int32_t i = 0; i < count(); ++i) {
      const auto& [start, end] = meetings_[place(rank, i)];
      RankStep& step = step_of(i, free_since, rank, timeline);
      so_far.rows[static_cast<size_t>(LedgerRow::kCompute)] += start - free_since;
      so_far.work.kernels += 4;
      step.work.kernels += 4;
      step.cells.front().length += start - free_since;
      step.compute += start - free_since;
      step.comm += end - start;
      step.busy += end - free_since;
      spent[i].device = so_far;
      so_far.rows[static_cast<size_t>(LedgerRow::kExposedCommUnsplit)] += end - start;
      timeline.collectives.push_back(collective_of(rank, i));
      timeline.slices.push_back(
          {{on_clock(rank, start), on_clock(rank, end)}, i / shape_.collectives_of_step, static_cast<uint32_t>(i), 1});
      timeline.slice_members.push_back(static_cast<uint32_t>(i));
      free_since = end;
      step.device->end = step.host.end = on_clock(rank, end);
    }
    timeline.spent = SpentColumns(spent);
    timeline.spans = 5 * timeline.collectives.size();
    return log;
  }

  LogFacts facts_of(int32_t rank) const {
    LogFacts facts;
    facts.path = facts.absolute_path = "/gone/rank-" + std::to_string(rank) + ".tauprof";
    facts.given = "/gone";
    facts.host = host_name(rank / kRanksOfHost);
    facts.run_id = "generated";
    facts.started = 1;
    facts.ranks = {rank};
    facts.world_size = shape_.ranks;
    facts.events = 1;
    return facts;
  }

  int32_t hosts() const { return hosts_; }
  static std::string host_name(int32_t host) { return "node" + std::to_string(host); }

 private:
  int32_t count() const { return shape_.steps * shape_.collectives_of_step; }
  size_t place(int32_t rank, int32_t collective) const {
    return static_cast<size_t>(rank) * static_cast<size_t>(count()) + static_cast<size_t>(collective);
  }

  // Whom the rank meets there.
  Group group(int32_t rank, int32_t collective) const {
    const int32_t in_step = collective % shape_.collectives_of_step;
    const int32_t host = rank / kRanksOfHost, number = rank % kRanksOfHost;
    if (in_step + 1 == shape_.collectives_of_step) return {1, shape_.ranks, rank};
    if (in_step % 2 == 0) return {2 + static_cast<uint64_t>(host), kRanksOfHost, number};
    return {2 + static_cast<uint64_t>(hosts_ + number), hosts_, host};
  }
  int64_t sequence(int32_t collective) const {
    const int32_t steps = collective / shape_.collectives_of_step, in_step = collective % shape_.collectives_of_step;
    if (in_step + 1 == shape_.collectives_of_step) return 1 + steps;
    const int32_t of_kind = (shape_.collectives_of_step - (in_step % 2 == 0 ? 0 : 1)) / 2;
    return 1 + static_cast<int64_t>(steps) * of_kind + in_step / 2;
  }

  void run(int32_t collective) {
    meetings_.resize(static_cast<size_t>(shape_.ranks) * static_cast<size_t>(count()));
    std::vector<Nanoseconds> ready(static_cast<size_t>(2 + hosts_ + kRanksOfHost), 0);  // by communicator
    for (int32_t rank = 0; rank < shape_.ranks; ++rank) {
      const Nanoseconds usual = rank == shape_.slow_rank ? kCompute * kSlowPermille / 1000 : kCompute;
      const Nanoseconds since = collective == 0 ? kStart : meetings_[place(rank, collective - 1)].end;
      Interval& meeting = meetings_[place(rank, collective)];
      meeting.start = since + random_.around(usual, kJitterPermille);
      Nanoseconds& latest = ready[group(rank, collective).identity];
      latest = std::max(latest, meeting.start);
    }
    for (int32_t rank = 0; rank < shape_.ranks; ++rank)
      meetings_[place(rank, collective)].end =
          ready[group(rank, collective).identity] + kTransfer + random_.below(1'000);
  }

  // A host's clock is off by up to ten seconds and 50 millionths.
  Nanoseconds on_clock(int32_t rank, Nanoseconds time) const {
    const int64_t host = rank / kRanksOfHost;
    const int64_t off = host == 0 ? 0 : (host * 7'919 % 20'000 - 10'000) * 1'000'000;
    return time + off + 20'000'000'000 + time / 1'000'000 * (host == 0 ? 0 : host * 37 % 100 - 50);
  }

  void describe(int32_t rank, RankTimeline& timeline) const {
    const auto host = static_cast<uint32_t>(rank / kRanksOfHost);
    timeline.rank = rank;
    timeline.world_size = shape_.ranks;
    timeline.device = rank % kRanksOfHost;
    timeline.host = host_name(rank / kRanksOfHost);
    timeline.device_name = "Generated GPU";
    timeline.source = "preload";
    timeline.steps_origin = StepOrigin::kMarker;
    timeline.steps_source = "marker step";
    timeline.steps_confidence = 1;
    for (size_t byte = 0; byte < 4; ++byte) timeline.boot_id[byte] = static_cast<uint8_t>((host + 1) >> 8 * byte);
    timeline.clock = log::Clock::kMonotonic;
    timeline.has_realtime = true;
    timeline.realtime_offset_ns = 1'700'000'000'000'000'000 + (host * 101 % 4'000) * 1'000'000;
    timeline.progress.is_closed = true;
    timeline.calls = 1;
  }

  RankStep& step_of(int32_t collective, Nanoseconds since, int32_t rank, RankTimeline& timeline) const {
    if (collective % shape_.collectives_of_step == 0) {
      RankStep& step = timeline.steps.emplace_back();
      step.number = collective / shape_.collectives_of_step;
      step.device = step.host = {on_clock(rank, since), 0};
      step.cells = {{Phase::kForward, LedgerRow::kCompute, 0}};
    }
    return timeline.steps.back();
  }

  RankCollective collective_of(int32_t rank, int32_t number) const {
    const auto& [start, end] = meetings_[place(rank, number)];
    const Group who = group(rank, number);
    RankCollective collective;
    collective.start = on_clock(rank, start);
    collective.end = on_clock(rank, end);
    collective.launch_start = collective.start - kLaunchedBefore;
    collective.launch_end = collective.launch_start + 10'000;
    collective.communicator = who.identity;
    collective.has_identity = true;
    collective.communicator_size = who.size;
    collective.communicator_rank = who.number;
    collective.sequence = sequence(number);
    collective.count = 1'000'000;
    collective.step = number / shape_.collectives_of_step;
    collective.operation = log::Operation::kAllReduce;
    collective.datatype = log::DataType::kBfloat16;
    collective.phase = Phase::kForward;
    collective.exposed = collective.end - collective.start;
    return collective;
  }

  const Shape shape_;
  const int32_t hosts_;
  generator::Random random_{1};
  std::vector<Interval> meetings_;  // by rank and collective, on the first host's clock
};

Status write(const Job& job, const std::string& out) {
  for (int32_t host = 0; host < job.hosts(); ++host) {
    HostTimelineWriter writer;
    const std::string name = Job::host_name(host);
    if (Status status = writer.create(out + "/" + name + ".timeline", name); !status.is_ok()) return status;
    for (int32_t rank = host * kRanksOfHost; rank < (host + 1) * kRanksOfHost; ++rank) {
      LogFacts facts = job.facts_of(rank);
      ReducedLog log = job.log_of(rank);
      EncodedLog encoded = encode_log(facts, log);
      if (Status status = writer.add(encoded); !status.is_ok()) return status;
    }
    if (Status status = writer.finish(); !status.is_ok()) return status;
  }
  return Status::ok();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes the timelines of a job of thousands of ranks, without logs");
  Shape shape;
  std::string out;
  app.add_option("--ranks", shape.ranks, "a multiple of 8")->check(CLI::Range(16, 1 << 20));
  app.add_option("--steps", shape.steps, "number of steps")->check(CLI::Range(2, 1 << 20));
  app.add_option("--collectives", shape.collectives_of_step, "of a rank in each step")->check(CLI::Range(2, 1 << 20));
  app.add_option("--slow", shape.slow_rank, "the rank that computes longer");
  app.add_option("--out", out, "folder for the files of timelines")->required();
  CLI11_PARSE(app, argc, argv);
  std::error_code ignored;  // the writer names the file that it cannot make
  std::filesystem::create_directories(out, ignored);
  if (const Status status = write(Job(shape), out); !status.is_ok()) {
    std::cerr << "tauprof-generate-timelines: " << status.message() << '\n';
    return 1;
  }
}
