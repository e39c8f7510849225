#include "metrics/collectives/collective_table.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "metrics/collectives/bandwidth.h"
#include "metrics/collectives/clock_doubts.h"
#include "metrics/collectives/communicator_name.h"
#include "metrics/statistics/step_stretches.h"

namespace tauprof {
namespace {

// Bytes over nanoseconds are gigabytes over seconds.
std::optional<double> rate(double bytes, double ns) { return ns > 0 ? std::optional(bytes / ns) : std::nullopt; }

struct Line {
  CollectiveMetrics metrics;
  double span_ns = 0;      // sum over instances of the mean over ranks of end − arrival
  double shortest_ns = 0;  // sum of the shortest span, over instances that all ranks recorded
  uint64_t complete = 0;   // number of such instances
  Nanoseconds skew = 0;
  double bytes_out = 0;  // mean per rank, summed over instances
  double most_bytes_out = 0;
  double bytes_in = 0;  // the same for receives, of instances where they are known
  double most_bytes_in = 0;
  std::map<int32_t, double> received;  // by rank
  std::set<std::string_view> hosts;    // of its members, "" if some is not known
  std::vector<Nanoseconds> enqueued;   // durations of the calls
  double measured_bytes_out = 0;       // the part of bytes_out in instances with device times
  Nanoseconds exposed = 0;
  std::vector<double> span_in;     // by stretch of the steps, sum over members
  std::vector<double> exposed_in;  // the same
  uint64_t compared = 0;           // instances whose arrivals can be compared
  Nanoseconds wait = 0;
  Nanoseconds transfer = 0;
  Nanoseconds doubt = 0;  // how far clocks may put the waits wrong, in sum
  // Members' parts that were not split, in operations in which all need all: how long each lasted, and how much of that
  // another known member had not arrived.
  struct Unsplit {
    Nanoseconds span;
    Nanoseconds waited;
  };
  std::vector<Unsplit> unsplit;
  Nanoseconds shortest_of_all = INT64_MAX;  // span, over members and instances
};

class CollectiveTable {
 public:
  CollectiveTable(const std::vector<RankTimeline>& ranks, const StepSelection& steps, bool have_clocks)
      : ranks_(ranks), steps_(steps), have_clocks_(have_clocks), stretches_(ranks, steps) {}

  void add(const MatchedCollective& match) {
    const std::vector<CollectiveMember> callers = callers_of(match);
    const bool counts = std::any_of(callers.begin(), callers.end(), [&](const CollectiveMember& member) {
      const int32_t step = unit(member).step;
      return step != kNoStep && steps_.has(ranks_[member.rank].steps[step].number);
    });
    if (!counts) return;
    const auto n = std::max<int32_t>(match.expected, static_cast<int32_t>(callers.size()));
    const bool is_unequal = !match.is_point_to_point && (match.bytes_out > 0 || sends_unequally(match, callers, n));
    const int64_t bytes =
        match.bytes_out > 0 ? match.bytes_out : collective_bytes(match.operation, match.count, match.datatype, n);
    Line& line = lines_[{match.has_identity, match.communicator, match.operation, match.datatype,
                         is_unequal ? 0 : bytes, is_unequal}];
    CollectiveMetrics& metrics = line.metrics;
    if (metrics.count++ == 0) {
      std::tie(metrics.communicator, metrics.is_named) = name_of(match);
      metrics.operation = match.operation;
      metrics.datatype = match.datatype;
      metrics.ranks = n;
      if (!is_unequal && bytes > 0) metrics.size_bytes = bytes;
      for (const CollectiveMember& caller : callers) line.hosts.insert(ranks_[caller.rank].host);
      if (static_cast<int32_t>(callers.size()) < n) line.hosts.insert(std::string_view());
    }
    for (const CollectiveMember& caller : callers)
      if (const RankCollective& collective = unit(caller); collective.launch_end != 0)
        line.enqueued.push_back(collective.launch_end - collective.launch_start);
    const double sent = is_unequal ? add_sent(callers, n, line) : 0;
    if (is_unequal) add_received(callers, line);
    if (match.members.empty()) {
      ++metrics.untimed;
      return;
    }
    line.measured_bytes_out += sent;
    measure(match, line);
  }

  std::vector<CollectiveMetrics> finish() {
    std::vector<CollectiveMetrics> result;
    for (auto& [key, line] : lines_) result.push_back(finish(line, std::get<5>(key)));
    std::stable_sort(result.begin(), result.end(), [](const CollectiveMetrics& a, const CollectiveMetrics& b) {
      return a.exposed_ns.value_or(0) > b.exposed_ns.value_or(0);
    });
    return result;
  }

 private:
  using Members = std::vector<CollectiveMember>;

  const RankCollective& unit(const CollectiveMember& member) const { return called(ranks_, member); }

  // And whether the program gave it that name.
  std::pair<std::string, bool> name_of(const MatchedCollective& match) const {
    if (!match.has_identity) return {"unnamed-" + std::to_string(match.communicator), false};
    for (const CollectiveMember& member : callers_of(match)) {
      const auto& names = ranks_[member.rank].communicator_names;
      if (const auto name = names.find(match.communicator); name != names.end() && !name->second.empty())
        return {name->second, true};
    }
    return {communicator_name({}, match.communicator), false};
  }

  // Bytes that a member sends to other ranks in an all-to-all of n; 0: not known.
  int64_t bytes_sent(const CollectiveMember& member, int64_t n) const {
    const RankCollective& collective = unit(member);
    return collective.rare->bytes_out > 0 ? collective.rare->bytes_out
                                          : collective.count * size_of(collective.datatype) * (n - 1);
  }

  // One rank may send larger parts than another even if each sends equal parts to all its peers.
  bool sends_unequally(const MatchedCollective& match, const Members& callers, int64_t n) const {
    if (match.operation != log::Operation::kAllToAll) return false;
    int64_t least = INT64_MAX, most = 0;
    for (const CollectiveMember& member : callers)
      if (const int64_t sent = bytes_sent(member, n); sent > 0)
        least = std::min(least, sent), most = std::max(most, sent);
    return least < most;
  }

  // Returns the mean per rank.
  double add_sent(const Members& callers, int64_t n, Line& line) const {
    int64_t sum = 0, most = 0;
    for (const CollectiveMember& member : callers) {
      const int64_t sent = bytes_sent(member, n);
      sum += sent;
      most = std::max(most, sent);
    }
    const double mean = static_cast<double>(sum) / static_cast<double>(callers.size());
    line.bytes_out += mean;
    line.most_bytes_out += static_cast<double>(most);
    return mean;
  }

  // Counts only instances in which every member's receives were recorded.
  void add_received(const Members& callers, Line& line) const {
    const auto received = [&](const CollectiveMember& member) { return unit(member).rare->bytes_in; };
    if (std::any_of(callers.begin(), callers.end(), [&](const auto& member) { return received(member) == 0; })) return;
    int64_t sum = 0, most = 0;
    for (const CollectiveMember& member : callers) {
      sum += received(member);
      most = std::max(most, received(member));
      line.received[ranks_[member.rank].rank] += static_cast<double>(received(member));
    }
    line.bytes_in += static_cast<double>(sum) / static_cast<double>(callers.size());
    line.most_bytes_in += static_cast<double>(most);
  }

  static void finish_received(const Line& line, CollectiveMetrics& metrics) {
    if (line.bytes_in <= 0) return;
    metrics.imbalance_received = line.most_bytes_in / line.bytes_in;
    if (line.most_bytes_in <= line.bytes_in) return;
    const auto heaviest = std::max_element(line.received.begin(), line.received.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
    metrics.heaviest_receiver = heaviest->first;
  }

  void measure(const MatchedCollective& match, Line& line) const {
    const ClockDoubts doubts(ranks_, match);
    double total = 0;
    Nanoseconds shortest = INT64_MAX, first = INT64_MAX, last = INT64_MIN;
    bool is_split = match.is_complete();
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = ranks_[member.rank].collectives[member.collective];
      const Nanoseconds arrival = ranks_[member.rank].arrival(collective);
      total += static_cast<double>(collective.end - collective.start);
      shortest = std::min(shortest, collective.end - collective.start);
      first = std::min(first, arrival);
      last = std::max(last, arrival);
      is_split &= collective.is_split;
      line.exposed += collective.exposed;
      add_to_stretch(ranks_[member.rank], collective, line);
      line.metrics.wait_is_upper_bound |= collective.is_upper_bound;
      if (!collective.is_split) continue;
      line.doubt += doubts.of_wait(member);
      line.wait += collective.wait();
      line.transfer += collective.transfer();
    }
    line.span_ns += total / static_cast<double>(match.members.size());
    line.shortest_of_all = std::min(line.shortest_of_all, shortest);
    if (is_all_pairs(match.operation)) add_unsplit(match, line);
    if (match.is_complete()) {
      line.shortest_ns += static_cast<double>(shortest);
      ++line.complete;
    }
    if (!is_split) return;
    ++line.compared;
    line.skew += last - first;
  }

  void add_to_stretch(const RankTimeline& rank, const RankCollective& collective, Line& line) const {
    if (collective.step == kNoStep) return;
    const std::optional<size_t> stretch = stretches_.of_step(rank.steps[collective.step].number);
    if (!stretch) return;
    line.span_in.resize(stretches_.count());
    line.exposed_in.resize(stretches_.count());
    line.span_in[*stretch] += static_cast<double>(collective.end - collective.start);
    line.exposed_in[*stretch] += static_cast<double>(collective.exposed);
  }

  // A stretch in which no rank has device times tells nothing.
  TimePerStep per_step(const std::vector<double>& sums) const {
    TimePerStep result;
    for (size_t stretch = 0; stretch < sums.size(); ++stretch) {
      if (stretches_.windows(stretch) == 0) continue;
      result.mean_ns += sums[stretch] / stretches_.windows();
      result.in_stretches_ns.push_back(sums[stretch] / stretches_.windows(stretch));
    }
    return result;
  }

  void add_unsplit(const MatchedCollective& match, Line& line) const {
    const bool can_compare =
        have_clocks_ && match.has_identity &&
        std::all_of(match.members.begin(), match.members.end(), [&](const CollectiveMember& member) {
          return ranks_[member.rank].clock_basis != ClockBasis::kUnknown;
        });
    for (const CollectiveMember& member : match.members) {
      const RankTimeline& rank = ranks_[member.rank];
      const RankCollective& collective = rank.collectives[member.collective];
      if (collective.is_split) continue;
      const Nanoseconds start = rank.run_clock.to_run(collective.start), end = rank.run_clock.to_run(collective.end);
      Nanoseconds ready = start;
      for (const CollectiveMember& other : match.members) {
        const RankTimeline& its = ranks_[other.rank];
        const Nanoseconds arrival = its.run_clock.to_run(its.collectives[other.collective].start);
        if (can_compare && arrival < end) ready = std::max(ready, arrival);
      }
      line.unsplit.push_back({collective.end - collective.start, ready - start});
    }
  }

  // The shortest span of one operation and size is about a transfer; what others last longer, they waited.
  static Nanoseconds least_wait(const Line& line, bool is_one_size) {
    Nanoseconds sum = 0;
    for (const Line::Unsplit& part : line.unsplit)
      sum += std::max(part.waited, is_one_size ? part.span - line.shortest_of_all : 0);
    return sum;
  }

  CollectiveMetrics finish(const Line& line, bool is_unequal) const {
    CollectiveMetrics metrics = line.metrics;
    metrics.hosts = line.hosts.count({}) > 0 ? 0 : static_cast<int32_t>(line.hosts.size());
    metrics.enqueue = statistics_of(line.enqueued);
    metrics.span_per_step = per_step(line.span_in);
    metrics.exposed_per_step = per_step(line.exposed_in);
    const auto count = static_cast<double>(metrics.count - metrics.untimed);
    if (count > 0) metrics.exposed_ns = line.exposed;
    const double factor = is_unequal ? 1 : bus_factor(metrics.operation, metrics.ranks);
    const double bytes =
        is_unequal ? line.measured_bytes_out : static_cast<double>(metrics.size_bytes.value_or(0)) * count;
    if (bytes > 0) {
      metrics.algbw_gb_per_s = rate(bytes, line.span_ns);
      metrics.busbw_gb_per_s = rate(bytes * factor, line.span_ns);
      if (is_all_pairs(metrics.operation))
        metrics.busbw_transfer_gb_per_s =
            rate(bytes / count * static_cast<double>(line.complete) * factor, line.shortest_ns);
    }
    if (is_unequal && line.bytes_out > 0) metrics.imbalance = line.most_bytes_out / line.bytes_out;
    finish_received(line, metrics);
    if (!line.unsplit.empty()) metrics.wait_at_least_ns = least_wait(line, bytes > 0 && !is_unequal);
    if (line.compared > 0) {
      metrics.wait_ns = line.wait;
      metrics.transfer_ns = line.transfer;
      metrics.skew_ns = line.skew;
      metrics.wait_within_clock_bound = line.wait > 0 && line.wait < line.doubt;
    }
    return metrics;
  }

  using Key = std::tuple<bool, uint64_t, log::Operation, log::DataType, int64_t, bool>;
  const std::vector<RankTimeline>& ranks_;
  const StepSelection& steps_;
  const bool have_clocks_;
  const StepStretches stretches_;
  std::map<Key, Line> lines_;
};

}  // namespace

std::vector<CollectiveMetrics> collective_table(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches,
                                                const StepSelection& steps, bool have_clocks) {
  CollectiveTable table(ranks, steps, have_clocks);
  for (const MatchedCollective& match : matches) table.add(match);
  return table.finish();
}

}  // namespace tauprof
