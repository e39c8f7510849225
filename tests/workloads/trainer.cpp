// See trainer.h.
#include "trainer.h"

#include <cstdio>
#include <thread>

#include "checkpoint.h"
#include "checks.h"
#include "markers.h"
#include "pipeline_schedule.h"

namespace training {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

bool is_due(int step, int every) { return every > 0 && (step + 1) % every == 0; }

}  // namespace

Trainer::Trainer(const Options& options, const RankPlacement& placement, int device)
    : options_(options),
      hogs_(options.hog_cpu, placement.rank),
      machine_(options, placement),
      model_(machine_),
      optimizer_(machine_, model_),
      input_(machine_, device),
      graph_(machine_.compute),
      flights_(options.micro_batches) {
  if (!options.backward_on_main_thread && !options.graph) {
    backward_thread_ = std::make_unique<BackwardThread>(options.backward_thread_name, device);
  }
  check(cudaMalloc(reinterpret_cast<void**>(&barrier_), sizeof *barrier_), "cudaMalloc");
  check(cudaMemset(barrier_, 0, sizeof *barrier_), "cudaMemset");
  check(cudaMallocHost(reinterpret_cast<void**>(&loss_on_host_), sizeof *loss_on_host_), "cudaMallocHost");
}

Trainer::~Trainer() {
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  check(cudaFree(barrier_), "cudaFree");
  check(cudaFreeHost(loss_on_host_), "cudaFreeHost");
}

void Trainer::run() {
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  for (int number = 0; number < options_.steps; ++number) step(number);
}

void Trainer::step(int number) {
  const StepScope scope(number);
  const auto began = Clock::now();
  const std::int64_t flops_before = machine_.gemm.flops();
  hogs_.start_step(number);
  machine_.start_step(number);
  stall_host(options_, machine_.placement.rank, number);
  if (options_.memory_growth_mb > 0) machine_.scratch.lose(static_cast<std::size_t>(options_.memory_growth_mb * 1e6));
  model_.clear_loss();
  if (options_.pipeline > 1) {
    run_pipeline();
  } else if (options_.graph && number > 0) {
    replay_micro_batches();
  } else {
    run_micro_batches();
  }
  finish_gradients();
  {
    const PhaseScope phase(Phase::Optimizer);
    hold_stream(options_, machine_.compute);
    optimizer_.step();
  }
  std::optional<float> loss;
  if (is_due(number, options_.loss_every)) {
    const PhaseScope phase(Phase::Loss);
    loss = read_loss();
  }
  after_step(number);
  print("step", number, loss, Clock::now() - began);
  if (options_.flops) print_flops(number, machine_.gemm.flops() - flops_before);
  if (is_due(number, options_.eval_every) && is_chosen(options_.eval_rank)) evaluate(number);
}

void Trainer::run_micro_batches() {
  for (int i = 0; i < options_.micro_batches; ++i) {
    Flight& flight = flights_[i];
    forward(flight, {});
    backward(flight, {}, i);
  }
}

// The collectives are not in the graphs: they follow the last one.
void Trainer::replay_micro_batches() {
  model_.sync().start_backward(false);
  for (int i = 0; i < options_.micro_batches; ++i) {
    Flight& flight = flights_[i];
    flight.input = input_.next();
    flight.saved.batch = flight.input.batch;
    machine_.accumulates = i > 0;
    {
      const PhaseScope phase(Phase::Forward);
      graph_.run(2 * flight.input.slot + (i > 0 ? 1 : 0), [&] {
        model_.forward({}, flight.saved);
        model_.backward({}, flight.saved);
      });
    }
    input_.done(flight.input);
  }
}

void Trainer::run_pipeline() {
  run_one_forward_one_backward(machine_, options_.micro_batches,
                               {[&](int i, Buffer in) { return forward(flights_[i], std::move(in)); },
                                [&](int i, Buffer gradient) { return backward(flights_[i], std::move(gradient), i); }});
}

Buffer Trainer::forward(Flight& flight, Buffer in) {
  if (machine_.is_first_stage() || machine_.is_last_stage()) {
    flight.input = input_.next();
    flight.saved.batch = flight.input.batch;
  }
  const PhaseScope phase(Phase::Forward);
  return model_.forward(std::move(in), flight.saved);
}

Buffer Trainer::backward(Flight& flight, Buffer out_gradient, int micro_batch) {
  Buffer in_gradient;
  const std::function<void()> work = [&] {
    const PhaseScope phase(Phase::Backward);
    machine_.accumulates = micro_batch > 0;
    model_.sync().start_backward(is_reduced_after(micro_batch));
    in_gradient = model_.backward(std::move(out_gradient), flight.saved);
  };
  if (backward_thread_) {
    backward_thread_->run(work);
  } else {
    work();
  }
  if (machine_.is_first_stage() || machine_.is_last_stage()) input_.done(flight.input);
  if (options_.sync_every_micro_batch && micro_batch + 1 < options_.micro_batches) finish_gradients();
  return in_gradient;
}

bool Trainer::is_chosen(int rank) const { return rank < 0 || rank == machine_.placement.rank; }

bool Trainer::is_reduced_after(int micro_batch) const {
  return options_.sync_every_micro_batch || micro_batch + 1 == options_.micro_batches;
}

void Trainer::finish_gradients() {
  const PhaseScope phase(Phase::GradientSync);
  model_.sync().finish();
}

void Trainer::after_step(int number) {
  if (options_.sync_every_step) check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  if (options_.barrier_every_step) wait_for_all_ranks();
  if (is_due(number, options_.log_every)) {
    const PhaseScope phase(Phase::Logging);
    std::this_thread::sleep_for(Milliseconds(options_.log_ms));
  }
  if (is_due(number, options_.checkpoint_every) && is_chosen(options_.checkpoint_rank)) {
    const PhaseScope phase(Phase::Checkpoint);
    save_checkpoint(model_.parameters(), machine_.placement.rank == 0 ? options_.checkpoint_file : "");
  }
}

void Trainer::evaluate(int number) {
  std::optional<float> loss;
  const auto began = Clock::now();
  {
    const PhaseScope phase(Phase::Evaluation);
    model_.clear_loss();
    run_forward_only(machine_, options_.eval_batches,
                     {[&](int, Buffer in) {
                        const DeviceBatch input = input_.next();
                        MicroBatch saved{input.batch, {}, {}};
                        Buffer out = model_.forward(std::move(in), saved);
                        input_.done(input);
                        return out;
                      },
                      nullptr});
    loss = read_loss() * static_cast<float>(options_.micro_batches) / static_cast<float>(options_.eval_batches);
  }
  print("eval", number, loss, Clock::now() - began);
}

// Only the last stage of a pipeline has a loss; a sum over the stages gives it to all of them.
float Trainer::read_loss() {
  Communicator& pipeline = *machine_.groups.pipeline;
  pipeline.all_reduce(model_.loss(), 1);
  pipeline.join();
  check(cudaMemcpyAsync(loss_on_host_, model_.loss(), sizeof(float), cudaMemcpyDeviceToHost, machine_.compute),
        "cudaMemcpyAsync");
  check(cudaStreamSynchronize(machine_.compute), "cudaStreamSynchronize");
  return *loss_on_host_;
}

void Trainer::wait_for_all_ranks() {
  machine_.groups.world->all_reduce(barrier_, 1);
  machine_.groups.world->join();
  check(cudaStreamSynchronize(machine_.compute), "cudaStreamSynchronize");
}

void Trainer::print_flops(int number, std::int64_t flops) {
  std::printf("flops of rank %d in step %d: %lld\n", machine_.placement.rank, number, static_cast<long long>(flops));
  std::fflush(stdout);
}

void Trainer::print(const char* what, int number, std::optional<float> loss, Milliseconds took) {
  if (machine_.placement.rank != 0) return;
  std::printf("%s %d", what, number);
  if (loss) std::printf(" loss %.3f", static_cast<double>(*loss));
  if (options_.timing) std::printf(" took %.3f ms", took.count());
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace training
