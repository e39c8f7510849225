// Each rank owns a shard of every unit (ZeRO). A unit's weights are gathered before each use, and its gradients are
// reduced to their owners as soon as backward has finished the unit. Gathers run one unit ahead. At stage 2 a unit is
// gathered once after its update.
#include <algorithm>

#include "checks.h"
#include "gradient_sync.h"

namespace training {
namespace {

class ShardedSync : public GradientSync {
 public:
  ShardedSync(const Options& options, const Parameters& parameters, Communicator& data)
      : parameters_(parameters), data_(data), prefetches_(!options.no_prefetch), keeps_(options.zero_stage == "2") {
    arrivals_.resize(parameters.units().size());
    is_under_way_.resize(arrivals_.size());
    is_kept_.resize(arrivals_.size());
    for (cudaEvent_t& event : arrivals_) {
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
  }

  ~ShardedSync() override {
    for (cudaEvent_t event : arrivals_) check(cudaEventDestroy(event), "cudaEventDestroy");
  }

  void before_unit(int unit, bool is_backward) override {
    gather(unit);
    if (prefetches_) gather(unit + (is_backward ? 1 : -1));
    check(cudaStreamWaitEvent(compute(), arrivals_[unit], 0), "cudaStreamWaitEvent");
    is_under_way_[unit] = false;
    is_kept_[unit] = keeps_;
  }

  void start_backward(bool is_reduced) override { is_reduced_ = is_reduced; }

  void gradient_ready(int tensor) override {
    if (!is_reduced_) return;
    const std::vector<Range>& units = parameters_.units();
    const std::size_t end = parameters_.tensors()[tensor].end;
    const auto unit = std::ranges::find(units, end, &Range::end);
    if (unit == units.end()) return;
    Element* const gradients = parameters_.all_gradients();
    const Range shard = shard_of(*unit);
    check(ncclReduceScatter(gradients + unit->begin, gradients + shard.begin, shard.size(), ncclBfloat16, ncclAvg,
                            data_.get(), data_.begin()),
          "ncclReduceScatter");
  }

  void finish() override {
    data_.join();
    is_kept_.assign(is_kept_.size(), false);  // the update follows
  }

  std::vector<Range> updated() const override {
    std::vector<Range> shards;
    for (const Range& unit : parameters_.units()) shards.push_back(shard_of(unit));
    return shards;
  }

 private:
  Range shard_of(const Range& unit) const {
    const std::size_t size = unit.size() / data_.size();
    const std::size_t begin = unit.begin + data_.rank() * size;
    return {begin, begin + size};
  }

  void gather(int unit) {
    if (unit < 0 || unit >= static_cast<int>(arrivals_.size()) || is_under_way_[unit] || is_kept_[unit]) return;
    is_under_way_[unit] = true;
    const Range whole = parameters_.units()[unit];
    const Range shard = shard_of(whole);
    Element* const weights = parameters_.all_weights();
    const cudaStream_t stream = data_.begin();
    check(ncclAllGather(weights + shard.begin, weights + whole.begin, shard.size(), ncclBfloat16, data_.get(), stream),
          "ncclAllGather");
    check(cudaEventRecord(arrivals_[unit], stream), "cudaEventRecord");
  }

  cudaStream_t compute() const { return data_.compute(); }

  const Parameters& parameters_;
  Communicator& data_;
  bool prefetches_;
  bool keeps_;  // the weights of a unit, until its next update
  bool is_reduced_ = false;
  std::vector<cudaEvent_t> arrivals_;
  std::vector<bool> is_under_way_;
  std::vector<bool> is_kept_;
};

}  // namespace

std::unique_ptr<GradientSync> make_sharded_sync(const Options& options, const Parameters& parameters,
                                                Communicator& data) {
  return std::make_unique<ShardedSync>(options, parameters, data);
}

}  // namespace training
