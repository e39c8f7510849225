#include "metrics/stragglers/blame.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {

void BlameTracer::trace(const std::function<void(const Blame&)>& take) {
  std::vector<std::pair<Nanoseconds, uint32_t>> by_ready;
  for (uint32_t i = 0; i < tables_.matches.size(); ++i)
    if (tables_.matches[i].members.size() > 1 && tables_.is_split(i)) by_ready.emplace_back(tables_.became_ready(i), i);
  std::sort(by_ready.begin(), by_ready.end());
  std::vector<uint32_t> order;
  for (const auto& [ready, match] : by_ready) order.push_back(match);
  MatchPreparation preparation(tables_.ranks, tables_.matches, tables_.stages, tables_.spending, order);
  std::vector<Traced> traced;
  const auto report_traced = [&] {
    for (const Traced& one : traced) report(one, take);
  };
  for (std::vector<PreparedMatch> prepared = preparation.next(); !prepared.empty();) {
    std::future<std::vector<PreparedMatch>> following = std::async([&] {
      report_traced();
      return preparation.next();
    });
    std::vector<Traced> now = trace_together(prepared);
    prepared = following.get();
    traced = std::move(now);
  }
  report_traced();
}

std::vector<std::vector<uint32_t>> BlameTracer::waves_of(const std::vector<PreparedMatch>& prepared) {
  wave_of_rank_.assign(tables_.ranks.size(), 0);
  std::vector<std::vector<uint32_t>> waves;
  for (uint32_t i = 0; i < prepared.size(); ++i) {
    const auto& members = tables_.matches[prepared[i].match].members;
    uint32_t wave = 0;
    for (const CollectiveMember& member : members) wave = std::max(wave, wave_of_rank_[member.rank]);
    for (const CollectiveMember& member : members) wave_of_rank_[member.rank] = wave + 1;
    waves.resize(std::max<size_t>(waves.size(), wave + 1));
    waves[wave].push_back(i);
  }
  return waves;
}

std::vector<BlameTracer::Traced> BlameTracer::trace_together(std::vector<PreparedMatch>& prepared) {
  constexpr size_t kLateOfThread = 256;  // fewer are done before another thread has started
  const size_t most_workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Traced> traced(prepared.size());
  for (const std::vector<uint32_t>& wave : waves_of(prepared)) {
    size_t late = 0;
    for (const uint32_t i : wave) late += prepared[i].late.size();
    const size_t workers = std::clamp<size_t>(late / kLateOfThread, 1, std::min(most_workers, wave.size()));
    while (workers_.size() < workers) workers_.push_back(std::make_unique<Worker>(*this));
    std::atomic<size_t> next = 0;
    const auto work = [&](Worker& worker) {
      for (size_t i = next++; i < wave.size(); i = next++) traced[wave[i]] = trace_match(prepared[wave[i]], worker);
    };
    std::vector<std::future<void>> others;
    for (size_t i = 1; i < workers; ++i) others.push_back(std::async([&, i] { work(*workers_[i]); }));
    work(*workers_.front());
    for (std::future<void>& other : others) other.get();
  }
  return traced;
}

BlameTracer::Traced BlameTracer::trace_match(PreparedMatch& prepared, Worker& worker) {
  const uint32_t match = prepared.match;
  double total = 0;
  const auto found = std::make_shared<LateReasons>();
  for (size_t i = 0; i < prepared.late.size(); ++i) {
    const LateMember& late = prepared.late[i];
    worker.search.add_reasons(prepared, late.member, late.lateness, *found);
    for (const BlameShare& share : found->at(i))
      worker.blamed.of(share.rank, share.cause).ns += share.share * late.waited;
    total += late.waited;
  }
  TracedMatch& traced = traced_[match];
  for (const Charge& charge : worker.blamed.take_largest(kMostShares))
    if (charge.time.ns > 0) traced.culprits.push_back({charge.rank, charge.cause, charge.time.ns / total});
  traced.culprits.shrink_to_fit();  // there may be millions of matches
  if (tables_.matches[match].is_point_to_point) keep_unwaited(prepared, worker.search, *found);
  found->index_by_rank();
  traced.reasons = found;
  traced.is_traced = true;
  // Only the communicator's next collective, which is this one, uses the previous one's reasons.
  if (const uint32_t before = tables_.spending.previous(match); before != kNoIndex) traced_[before].reasons = nullptr;
  return {match, std::move(prepared.late), found};
}

void BlameTracer::keep_unwaited(const PreparedMatch& prepared, ReasonSearch& search, LateReasons& found) {
  const uint32_t match = prepared.match;
  const auto& members = tables_.matches[match].members;
  const auto receiver =
      std::find_if(members.begin(), members.end(), [](const CollectiveMember& one) { return one.receives; });
  if (members.size() != 2 || receiver == members.end()) return;
  const auto member = static_cast<uint32_t>(receiver - members.begin());
  const uint32_t rank = receiver->rank, sender = members[1 - member].rank;
  const Nanoseconds lateness = tables_.ranks[rank].run_clock.to_run(tables_.unit(match, member).start) -
                               tables_.ranks[sender].run_clock.to_run(tables_.unit(match, 1 - member).end);
  if (lateness <= 0) return;
  traced_[match].unwaited = lateness;
  search.add_reasons(prepared, member, lateness, found);
}

void BlameTracer::report(const Traced& traced, const std::function<void(const Blame&)>& take) const {
  for (size_t i = 0; i < traced.late.size(); ++i) {
    const CollectiveMember& which = tables_.matches[traced.match].members[traced.late[i].member];
    take({traced.match, which.rank, which.collective, traced.late[i].waited, traced.reasons->at(i)});
  }
}

}  // namespace tauprof
