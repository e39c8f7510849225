// The training loop of one rank.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "backward_thread.h"
#include "host_defects.h"
#include "input_pipeline.h"
#include "machine.h"
#include "model.h"
#include "optimizer.h"
#include "step_graph.h"

namespace training {

class Trainer {
 public:
  Trainer(const Options& options, const RankPlacement& placement, int device);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  void run();

 private:
  // A micro-batch between its forward and its backward pass.
  struct Flight {
    DeviceBatch input;
    MicroBatch saved;
  };

  void step(int number);
  void run_micro_batches();
  void replay_micro_batches();
  void run_pipeline();
  Buffer forward(Flight& flight, Buffer in);
  Buffer backward(Flight& flight, Buffer out_gradient, int micro_batch);
  bool is_chosen(int rank) const;  // below 0: all ranks are
  bool is_reduced_after(int micro_batch) const;
  void finish_gradients();
  void after_step(int number);
  void evaluate(int number);
  float read_loss();
  void wait_for_all_ranks();
  void print_flops(int number, std::int64_t flops);
  void print(const char* what, int number, std::optional<float> loss, std::chrono::duration<double, std::milli> took);

  const Options& options_;
  CpuHogs hogs_;  // first, because the threads of later members inherit its CPU
  Machine machine_;
  Model model_;
  Optimizer optimizer_;
  InputPipeline input_;
  StepGraph graph_;
  std::unique_ptr<BackwardThread> backward_thread_;
  std::vector<Flight> flights_;
  float* barrier_ = nullptr;
  float* loss_on_host_ = nullptr;
};

}  // namespace training
