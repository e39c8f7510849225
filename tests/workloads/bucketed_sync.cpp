// All ranks hold all weights. Gradients are all-reduced in buckets, each as soon as backward has filled it.
#include <algorithm>

#include "checks.h"
#include "gradient_sync.h"

namespace training {
namespace {

class BucketedSync : public GradientSync {
 public:
  BucketedSync(const Options& options, const Parameters& parameters, Communicator& data)
      : parameters_(parameters), data_(data), updated_(parameters.tensors()) {
    const double limit = options.one_bucket ? 1e300 : options.bucket_mb * 1e6;
    Range open;
    for (std::size_t tensor = 0; tensor < updated_.size(); ++tensor) {
      if (parameters.is_expert(static_cast<int>(tensor))) continue;
      open.end = updated_[tensor].end;
      if (static_cast<double>(open.size() * sizeof(Element)) < limit) continue;
      add_pieces(open, limit);
      open.begin = open.end;
    }
    if (open.size() > 0) buckets_.push_back(open);
    if (!options.windows || data.size() == 1) return;
    check(ncclCommWindowRegister(data.get(), parameters.all_gradients(), parameters.count() * sizeof(Element), &window_,
                                 NCCL_WIN_COLL_SYMMETRIC),
          "ncclCommWindowRegister");
  }
  ~BucketedSync() override {
    if (window_ != nullptr) check(ncclCommWindowDeregister(data_.get(), window_), "ncclCommWindowDeregister");
  }
  BucketedSync(const BucketedSync&) = delete;
  BucketedSync& operator=(const BucketedSync&) = delete;

  void before_unit(int, bool) override {}

  void start_backward(bool is_reduced) override {
    is_reduced_ = is_reduced;
    next_ = 0;
  }

  void gradient_ready(int tensor) override {
    if (is_reduced_ && !parameters_.is_expert(tensor)) reduce_up_to(parameters_.tensors()[tensor].end);
  }

  void finish() override {
    reduce_up_to(parameters_.count());
    data_.join();
  }

  std::vector<Range> updated() const override { return updated_; }

 private:
  // A tensor larger than a bucket is reduced in several pieces.
  void add_pieces(Range range, double limit) {
    const std::size_t most = std::max<std::size_t>(static_cast<std::size_t>(limit) / sizeof(Element), 1);
    const std::size_t pieces = (range.size() + most / 2) / most;
    const std::size_t piece = pieces < 2 ? range.size() : range.size() / pieces;
    for (; range.size() >= 2 * piece; range.begin += piece) buckets_.push_back({range.begin, range.begin + piece});
    buckets_.push_back(range);
  }

  void reduce_up_to(std::size_t end) {
    for (; next_ < buckets_.size() && buckets_[next_].end <= end; ++next_) {
      data_.all_reduce(parameters_.all_gradients() + buckets_[next_].begin, buckets_[next_].size(), ncclAvg);
    }
  }

  const Parameters& parameters_;
  Communicator& data_;
  std::vector<Range> updated_;
  std::vector<Range> buckets_;
  ncclWindow_t window_ = nullptr;
  std::size_t next_ = 0;
  bool is_reduced_ = false;
};

}  // namespace

std::unique_ptr<GradientSync> make_bucketed_sync(const Options& options, const Parameters& parameters,
                                                 Communicator& data) {
  return std::make_unique<BucketedSync>(options, parameters, data);
}

}  // namespace training
