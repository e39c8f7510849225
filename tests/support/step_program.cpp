// One training step: input, forward, backward with its gradient exchange, clipping, optimizer.
#include "step_program.h"

#include <algorithm>

#include "program_builder.h"

namespace tauprof::generator {
namespace {

using log::DataType;
using log::Operation;

constexpr std::string_view kOptimizerKernel =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
    "FusedOptimizerTensorListMetadata<4>, at::native::(anonymous namespace)::FusedAdamMathFunctor<float, 4> >";

class StepBuilder {
 public:
  StepBuilder(const JobSpec& spec, const Communicators& communicators, int rank, int step, int64_t factor_ppm,
              std::vector<HostOp>& program)
      : spec_(spec),
        rank_(rank),
        step_(step),
        stage_(communicators.stage(rank)),
        factor_ppm_(factor_ppm),
        layers_(spec.layers + (spec.has_varying_steps ? step * 2 % 3 : 0)),
        build_(program, spec.has_phase_ranges && spec.marker != StepMarker::kNone) {
    slowness_ = std::max(value_for(spec.slow_ranks, rank, 1000), value_for(spec.throttled, rank, 1000));
    if (const int64_t slow = value_for(spec.slow_steps, rank, step); slow > 0) slowness_ = std::max(slowness_, slow);
  }

  void build() {
    build_.pause(value_for(spec_.recording_gaps, rank_, step_));
    const bool is_marked = spec_.marker != StepMarker::kNone;
    if (is_marked) build_.push_step();
    load_input();
    pass_micro_batches();
    clip_gradients();
    optimize();
    zero_gradients();
    if (spec_.has_second_network) train_second_network();
    sweep_sizes();
    end_step();
    if (is_due(spec_.readback_every)) read_back();
    if (is_marked) build_.pop_step();
    if (is_due(spec_.eval_every)) evaluate();
  }

 private:
  int64_t slowed(int64_t ns) const { return ns * slowness_ / 1000 * factor_ppm_ / 1'000'000; }

  bool is_due(int every) const { return every > 0 && (step_ + 1) % every == 0; }

  void read_back() {
    build_.copy(log::CopyKind::kDeviceToHost, kComputeStream, 4, 2'000);
    build_.stream_sync(kComputeStream);
  }

  void train_second_network() {
    is_second_network_ = true;
    forward(1);
    backward(spec_.micro_batches - 1);
    clip_gradients();
    optimize();
    is_second_network_ = false;
  }

  void evaluate() {
    for (int batch = 0; batch < spec_.eval_batches; ++batch) {
      build_.work(spec_.loader_ns);
      build_.copy(log::CopyKind::kHostToDevice, kCopyStream, spec_.message_bytes, spec_.message_bytes / 20);
      build_.order(kCopyStream, kComputeStream);
      for (int layer = 0; layer < layers_; ++layer) forward_layer();
    }
    read_back();
  }

  void load_input() {
    const int64_t wait = value_for(spec_.data_waits, rank_, step_);
    if (spec_.has_marked_data_wait) build_.push("enumerate(DataLoader).__next__", Phase::kDataloadWait);
    build_.work(spec_.loader_ns);
    build_.sleep(wait);
    if (spec_.has_marked_data_wait) build_.pop();
    build_.push("h2d", Phase::kHostToDevice);
    build_.copy(log::CopyKind::kHostToDevice, kCopyStream, spec_.message_bytes, spec_.message_bytes / 20);
    build_.order(kCopyStream, kComputeStream);
    build_.pop();
  }

  void forward(int batch) {
    build_.push("forward", Phase::kForward);
    if (spec_.has_broadcast && batch == 0) broadcast_buffers();
    receive_from(stage_ - 1);
    for (int layer = 0; layer < layers_; ++layer) {
      if (layer == layers_ / 2 && batch == 0) {
        build_.sleep(value_for(spec_.stalls, rank_, step_) + value_for(spec_.contentions, rank_, step_));
        build_.allocate(value_for(spec_.allocations, rank_, step_));
      }
      forward_layer();
    }
    send_to(stage_ + 1);
    build_.pop();
  }

  // Without interleaving, each micro-batch passes through all stages and back before the next one starts. With it, a
  // stage runs ahead by as many forwards as stages follow, then alternates (one forward, one backward). Or all forwards
  // come first (GPipe).
  void pass_micro_batches() {
    const int ahead = spec_.has_forwards_first        ? spec_.micro_batches
                      : spec_.has_interleaved_batches ? std::min(spec_.pipeline - 1 - stage_, spec_.micro_batches)
                                                      : 0;
    for (int batch = 0; batch < ahead; ++batch) forward(batch);
    for (int batch = 0; batch < spec_.micro_batches; ++batch) {
      if (batch + ahead < spec_.micro_batches) forward(batch + ahead);
      backward(batch);
    }
  }

  void broadcast_buffers() {
    build_.order(kComputeStream, kGradientStream);
    build_.collective(Operation::kBroadcast, kDataParallel, kGradientStream, DataType::kFloat32, 65536, 0);
    build_.order(kGradientStream, kComputeStream);
  }

  void forward_layer() {
    if (spec_.is_sharded) {
      build_.collective(Operation::kAllGather, kDataParallel, kGradientStream, DataType::kBfloat16, spec_.layer_bytes);
      build_.order(kGradientStream, kComputeStream);
    }
    build_.gemm(LayerProduct::kForward, slowed(spec_.gemm_ns));
    build_.kernel(is_second_network_ ? "conv_forward_kernel" : "layer_norm_forward_kernel", kComputeStream,
                  slowed(spec_.elementwise_ns));
    for (int64_t extra = value_for(spec_.extra_kernels, rank_, 0); extra > 0; --extra) {
      build_.kernel("mask_fill_kernel", kComputeStream, slowed(spec_.elementwise_ns));
    }
    if (spec_.has_fused_reduces) build_.fused_kernel(slowed(spec_.elementwise_ns));
    if (spec_.has_all_to_all) exchange(Operation::kAllToAll, kDataParallel);
    if (spec_.tensor_parallel > 1) exchange(Operation::kAllReduce, kTensorParallel);
    if (value_for(spec_.layer_syncs, rank_, 0) != 0) build_.stream_sync(kComputeStream);
  }

  // A collective that the next kernel needs, on its own stream.
  void exchange(Operation operation, CommunicatorRole role) {
    build_.order(kComputeStream, kTensorStream);
    build_.collective(operation, role, kTensorStream, DataType::kFloat16, spec_.message_bytes);
    if (operation == Operation::kAllToAll && spec_.is_exchange_by_messages) build_.group(Grouping::kMessages);
    build_.order(kTensorStream, kComputeStream);
  }

  void backward(int batch) {
    build_.push("backward", Phase::kBackward);
    if (spec_.has_autograd) build_.switch_thread(kAutogradThread);
    receive_from(stage_ + 1);
    for (int layer = layers_ - 1; layer >= 0; --layer) {
      backward_layer();
      if (batch == spec_.micro_batches - 1) exchange_gradients(layer);
    }
    send_to(stage_ - 1);
    if (spec_.has_autograd) build_.switch_thread(kMainThread);
    build_.pop();
  }

  void backward_layer() {
    build_.kernel(is_second_network_ ? "conv_backward_kernel" : "layer_norm_backward_kernel", kComputeStream,
                  slowed(spec_.elementwise_ns));
    build_.gemm(LayerProduct::kInputGradient, slowed(spec_.gemm_ns));
    if (spec_.has_fused_reduces) build_.fused_kernel(slowed(spec_.elementwise_ns));
    build_.gemm(LayerProduct::kWeightGradient, slowed(spec_.gemm_ns));
    if (spec_.tensor_parallel > 1) exchange(Operation::kAllReduce, kTensorParallel);
  }

  // Buckets fill from the last layer to the first.
  void exchange_gradients(int layer) {
    const int filled = layers_ - layer;
    const bool is_full = filled % spec_.layers_per_bucket == 0;
    if (!is_full && layer != 0) return;
    const int layers = is_full ? spec_.layers_per_bucket : filled % spec_.layers_per_bucket;
    build_.order(kComputeStream, kGradientStream);
    build_.collective(spec_.is_sharded ? Operation::kReduceScatter : Operation::kAllReduce, kDataParallel,
                      kGradientStream, DataType::kBfloat16, layers * spec_.layer_bytes);
    if (spec_.has_grouped_buckets) build_.group(Grouping::kCollectives, layers);
  }

  void clip_gradients() {
    build_.push("unscale_clip", Phase::kUnscaleClip);
    build_.order(kGradientStream, kComputeStream);
    build_.kernel("lpnorm_cleanup", kComputeStream, spec_.elementwise_ns);
    build_.pop();
  }

  void optimize() {
    build_.push("optimizer", Phase::kOptimStep);
    if (spec_.has_graph) {
      build_.graph(spec_.optimizer_ns);
    } else {
      build_.kernel(kOptimizerKernel, kComputeStream, slowed(spec_.optimizer_ns));
      build_.kernel(kOptimizerKernel, kComputeStream, slowed(spec_.optimizer_ns));
    }
    build_.pop();
  }

  void zero_gradients() {
    build_.push("zero_grad", Phase::kZeroGrad);
    build_.memset(spec_.layer_bytes, 5'000 + spec_.layer_bytes / 1000);
    build_.pop();
    if (spec_.has_orphans) build_.orphan_memset(4096, 7'000);
  }

  void sweep_sizes() {
    for (const int64_t bytes : spec_.sweep_bytes) {
      const auto exchange_size = [&](Operation operation) {
        build_.collective(operation, kDataParallel, kGradientStream, DataType::kBfloat16, bytes);
      };
      if (spec_.is_sharded) exchange_size(Operation::kAllGather);
      exchange_size(spec_.is_sharded ? Operation::kReduceScatter : Operation::kAllReduce);
    }
    if (!spec_.sweep_bytes.empty()) build_.order(kGradientStream, kComputeStream);
  }

  void end_step() {
    switch (spec_.step_end) {
      case StepEnd::kStreamSync:
        build_.copy(log::CopyKind::kDeviceToHost, kComputeStream, 4, 2'000);
        build_.stream_sync(kComputeStream);
        break;
      case StepEnd::kDeviceSync:
        build_.device_sync();
        break;
      case StepEnd::kBlockingCopy:
        build_.blocking_copy(4, 2'000);
        break;
      case StepEnd::kNone:
        break;
    }
  }

  bool has_stage(int stage) const { return stage >= 0 && stage < spec_.pipeline; }

  // The communicator with another stage, and that stage's number in it.
  CommunicatorRole with(int stage) const {
    return spec_.has_pair_communicators && stage > stage_ ? kNextStage : kPipelineParallel;
  }
  int number_of(int stage) const { return spec_.has_pair_communicators ? (stage > stage_ ? 1 : 0) : stage; }

  void receive_from(int stage) {
    if (!has_stage(stage)) return;
    build_.collective(Operation::kReceive, with(stage), kPipelineStream, DataType::kBfloat16, spec_.message_bytes,
                      number_of(stage));
    build_.order(kPipelineStream, kComputeStream);
  }

  void send_to(int stage) {
    if (!has_stage(stage)) return;
    build_.order(kComputeStream, kPipelineStream);
    build_.collective(Operation::kSend, with(stage), kPipelineStream, DataType::kBfloat16, spec_.message_bytes,
                      number_of(stage));
  }

  const JobSpec& spec_;
  const int rank_;
  const int step_;
  const int stage_;
  int64_t slowness_;
  const int64_t factor_ppm_;
  const int layers_;
  bool is_second_network_ = false;
  ProgramBuilder build_;
};

}  // namespace

void build_step(const JobSpec& spec, const Communicators& communicators, int rank, int step, int64_t factor_ppm,
                std::vector<HostOp>& program) {
  program.clear();
  StepBuilder(spec, communicators, rank, step, factor_ppm, program).build();
}

void build_before_steps(const JobSpec& spec, std::vector<HostOp>& program) {
  program.clear();
  ProgramBuilder build(program);
  build.switch_thread(kAutogradThread);
  build.set_device();
  build.switch_thread(kMainThread);
  build.set_device();
  if (!spec.has_outside_work) return;
  build.copy(log::CopyKind::kHostToDevice, kCopyStream, spec.layer_bytes, spec.layer_bytes / 20);
  build.kernel("init_parameters_kernel", kComputeStream, spec.elementwise_ns);
  build.kernel("init_parameters_kernel", kComputeStream, 40 * spec.elementwise_ns);
}

void build_after_steps(const JobSpec& spec, std::vector<HostOp>& program) {
  program.clear();
  if (!spec.has_outside_work) return;
  ProgramBuilder build(program);
  build.copy(log::CopyKind::kDeviceToHost, kComputeStream, spec.layer_bytes, spec.layer_bytes / 20);
  build.device_sync();
}

int event_count(const std::vector<HostOp>& program) {
  int count = 0;
  for (const HostOp& op : program) count = std::max(count, op.event);
  return count;
}

}  // namespace tauprof::generator
