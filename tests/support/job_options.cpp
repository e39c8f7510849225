// Reads the command line of tauprof-generate into a JobSpec.
#include "job_options.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <map>

namespace tauprof::generator {
namespace {

// A number with its unit, in nanoseconds.
int64_t parse_duration(const std::string& text) {
  size_t used = 0;
  const double number = std::stod(text, &used);
  const std::string unit = text.substr(used);
  const double scale = unit == "ns" ? 1 : unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 0;
  if (scale == 0) throw CLI::ValidationError(text, "end the duration with ns, us, ms or s");
  return std::llround(number * scale);
}

int64_t parse_factor(const std::string& text) { return std::llround(std::stod(text) * 1000); }
int64_t parse_ppm(const std::string& text) { return std::llround(std::stod(text) * 1000); }
int64_t parse_count(const std::string& text) { return std::stoll(text); }

using ValueParser = int64_t (*)(const std::string&);

RankValue parse_rank_value(const std::string& text, ValueParser parse) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos) throw CLI::ValidationError(text, "give RANK=VALUE");
  return {std::stoi(text.substr(0, equals)), parse(text.substr(equals + 1))};
}

StepValue parse_step_value(const std::string& text, ValueParser parse) {
  const size_t colon = text.find(':');
  const size_t equals = text.find('=');
  if (colon == std::string::npos || equals == std::string::npos || equals < colon) {
    throw CLI::ValidationError(text, "give RANK:STEP=VALUE, or RANK:*=VALUE for every step");
  }
  const std::string step = text.substr(colon + 1, equals - colon - 1);
  return {std::stoi(text.substr(0, colon)), step == "*" ? -1 : std::stoi(step), parse(text.substr(equals + 1))};
}

template <class Value>
using EntryParser = Value (*)(const std::string&, ValueParser);

template <class Value>
void add_injection(CLI::App& app, const char* name, std::vector<Value>& list, EntryParser<Value> parse_entry,
                   ValueParser parse_value, const char* what) {
  app.add_option_function<std::vector<std::string>>(
         name,
         [=, &list](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) {
             try {
               list.push_back(parse_entry(text, parse_value));
             } catch (const std::logic_error&) {  // std::stoi and its family
               throw CLI::ValidationError(text, "a number is expected here");
             }
           }
         },
         what)
      ->delimiter(',');
}

void add_duration(CLI::App& app, const char* name, int64_t& value, const char* what) {
  app.add_option_function<std::string>(
      name,
      [&value](const std::string& text) {
        try {
          value = parse_duration(text);
        } catch (const std::logic_error&) {
          throw CLI::ValidationError(text, "give a duration such as 20us");
        }
      },
      what);
}

void add_shape(CLI::App& app, JobSpec& spec) {
  app.add_option("--ranks", spec.ranks, "number of ranks, 1 to 1024");
  app.add_option("--hosts", spec.hosts, "number of hosts, each with its own boot id");
  app.add_option("--devices-per-process", spec.devices_per_process, "ranks that share a process and its log");
  app.add_option("--steps", spec.steps, "number of steps");
  app.add_option("--events-per-rank", spec.events_per_rank,
                 "instead of --steps: enough steps for this many calls and spans on rank 0");
  app.add_option("--seed", spec.seed, "seed of the random numbers");
  app.add_option("--layers", spec.layers, "layers of the model");
  app.add_option("--micro-batches", spec.micro_batches, "micro-batches per step");
  app.add_option("--eval-every", spec.eval_every, "steps between evaluations; 0: none");
  app.add_option("--eval-batches", spec.eval_batches, "batches of an evaluation");
  app.add_option("--readback-every", spec.readback_every, "steps between additional readbacks of the loss; 0: none");
  app.add_option("--layers-per-bucket", spec.layers_per_bucket, "layers whose gradients are reduced together");
  app.add_option("--layer-bytes", spec.layer_bytes, "bytes of a layer's gradients");
  app.add_option("--message-bytes", spec.message_bytes, "bytes of a layer's activations");
  app.add_option("--link-bytes-per-us", spec.link_bytes_per_us, "bandwidth of a link");
  app.add_option("--sweep-bytes", spec.sweep_bytes,
                 "sizes of additional all-reduces (sharded: all-gathers, reduce-scatters) at the end of each step")
      ->delimiter(',');
  app.add_option("--jitter-permille", spec.jitter_permille, "random variation of all times");
  app.add_option("--work-permille", spec.work_permille, "time of all kernels that compute, 1000: the usual");
  app.add_option("--step-noise-permille", spec.step_noise.permille,
                 "standard deviation of the time of a step's kernels, the same on all ranks");
  app.add_option("--step-noise-memory-permille", spec.step_noise.memory_permille,
                 "the part of its noise that a step hands on to the next");
  add_duration(app, "--gemm", spec.gemm_ns, "device time of a matrix multiplication");
  add_duration(app, "--elementwise", spec.elementwise_ns, "device time of a small kernel");
  add_duration(app, "--optimizer", spec.optimizer_ns, "device time of an optimizer kernel");
  add_duration(app, "--link-latency", spec.link_latency_ns, "latency of every collective");
  add_duration(app, "--call", spec.call_ns, "host time of a call");
  add_duration(app, "--between-calls", spec.between_calls_ns, "host time between calls");
}

void add_features(CLI::App& app, JobSpec& spec) {
  app.add_option("--tensor-parallel", spec.tensor_parallel,
                 "ranks that share each layer; adds a second communication stream");
  app.add_option("--pipeline", spec.pipeline, "pipeline stages, connected by messages");
  app.add_flag("--sharded", spec.is_sharded, "all-gather and reduce-scatter instead of all-reduce");
  app.add_flag("--broadcast", spec.has_broadcast, "broadcast buffers at the start of each step");
  app.add_flag("--all-to-all", spec.has_all_to_all, "exchange all-to-all in every layer");
  app.add_flag("--all-to-all-by-messages", spec.is_exchange_by_messages,
               "make the all-to-all a group of sends and receives");
  app.add_flag("--grouped-buckets", spec.has_grouped_buckets, "one collective per layer, grouped by bucket");
  app.add_flag("--forwards-first", spec.has_forwards_first, "all forwards of a step, then all backwards (GPipe)");
  app.add_flag("--interleaved-batches", spec.has_interleaved_batches,
               "stages alternate between forwards and backwards of different micro-batches; needs --buffered-sends");
  app.add_flag("--buffered-sends", spec.has_buffered_sends, "a sender does not wait for its receiver");
  app.add_flag("--pair-communicators", spec.has_pair_communicators,
               "of a pipeline: a communicator for each two neighbouring stages");
  app.add_option("--algorithm", spec.algorithm, "algorithm that the log names for each collective, such as Tree");
  app.add_flag("--fused-reduces", spec.has_fused_reduces, "a kernel of every layer all-reduces and normalizes at once");
  app.add_flag("--graph", spec.has_graph, "the optimizer is a graph launch without node records");
  app.add_flag("--outside-work", spec.has_outside_work, "device work before the first and after the last step");
  app.add_flag("--orphans", spec.has_orphans, "one device span per step without a recorded call");
  app.add_flag("--autograd,!--no-autograd", spec.has_autograd, "backward is launched by a second thread");
  app.add_flag("--marked-data-wait,!--unmarked-data-wait", spec.has_marked_data_wait, "the loader has a range");
  app.add_flag("--second-network", spec.has_second_network,
               "a second network, with its own pass and update in each step");
  app.add_flag("--varying-steps", spec.has_varying_steps, "up to two more layers in some steps");
  app.add_flag("--phase-ranges,!--no-phase-ranges", spec.has_phase_ranges, "phases have ranges");
  const std::map<std::string, StepMarker> markers{
      {"nvtx", StepMarker::kNvtx}, {"annotation", StepMarker::kAnnotation}, {"none", StepMarker::kNone}};
  app.add_option("--marker", spec.marker, "how steps are marked")->transform(CLI::CheckedTransformer(markers));
  const std::map<std::string, StepEnd> ends{{"stream-sync", StepEnd::kStreamSync},
                                            {"device-sync", StepEnd::kDeviceSync},
                                            {"blocking-copy", StepEnd::kBlockingCopy},
                                            {"none", StepEnd::kNone}};
  app.add_option("--step-end", spec.step_end, "what ends a step on the host")->transform(CLI::CheckedTransformer(ends));
  app.add_option("--missing", spec.missing, "ranks whose log is not written")->delimiter(',');
}

void add_injections(CLI::App& app, JobSpec& spec) {
  add_injection(app, "--slow-rank", spec.slow_ranks, parse_rank_value, parse_factor,
                "RANK=FACTOR: its kernels take longer");
  add_injection(app, "--throttle", spec.throttled, parse_rank_value, parse_factor,
                "RANK=FACTOR: the same, visible in telemetry");
  add_injection(app, "--slow-link", spec.slow_links, parse_rank_value, parse_factor,
                "RANK=FACTOR: its transfers take longer");
  add_injection(app, "--busy-host", spec.busy_hosts, parse_rank_value, parse_factor,
                "RANK=FACTOR on the time between calls");
  add_injection(app, "--extra-kernels", spec.extra_kernels, parse_rank_value, parse_count,
                "RANK=COUNT of additional kernels per layer");
  add_injection(app, "--layer-sync", spec.layer_syncs, parse_rank_value, parse_count,
                "RANK=1: synchronize after each layer");
  add_injection(app, "--clock-offset", spec.clock_offsets, parse_rank_value, parse_duration,
                "RANK=DURATION by which its log's clock is ahead");
  add_injection(app, "--device-offset", spec.device_offsets, parse_rank_value, parse_duration,
                "RANK=DURATION by which its device's clock is ahead of its host's");
  add_injection(app, "--clock-drift", spec.clock_drifts, parse_rank_value, parse_ppm,
                "RANK=PPM by which its clock gains");
  add_injection(app, "--wall-clock-error", spec.wall_clocks, parse_rank_value, parse_duration,
                "RANK=DURATION by which its wall clock is ahead");
  add_injection(app, "--wrong-time", spec.wrong_times, parse_step_value, parse_duration,
                "RANK:STEP=DURATION added to the logged times of a collective's kernel");
  add_injection(app, "--slow-step", spec.slow_steps, parse_step_value, parse_factor,
                "RANK:STEP=FACTOR: its kernels take longer in this step");
  add_injection(app, "--cpu-contention", spec.contentions, parse_step_value, parse_duration,
                "RANK:STEP=DURATION without a CPU, visible in telemetry");
  add_injection(app, "--stall", spec.stalls, parse_step_value, parse_duration, "RANK:STEP=DURATION off the CPU");
  add_injection(app, "--allocation", spec.allocations, parse_step_value, parse_duration,
                "RANK:STEP=DURATION in a call that allocates memory");
  add_injection(app, "--data-wait", spec.data_waits, parse_step_value, parse_duration,
                "RANK:STEP=DURATION of waiting for input");
  add_injection(app, "--gap", spec.recording_gaps, parse_step_value, parse_duration,
                "RANK:STEP=DURATION with recording off, before the step");
  add_injection(app, "--drop", spec.drops, parse_step_value, parse_count, "RANK:STEP=COUNT of lost compute spans");
  add_injection(app, "--lose-collectives", spec.lost_kernels, parse_step_value, parse_count,
                "RANK:STEP=COUNT of lost kernels of collectives and messages");
}

}  // namespace

int parse_job_options(int argc, char** argv, JobOptions& options) {
  CLI::App app("Writes the logs of a simulated training job and, on request, the truth about it.");
  app.add_option("--out", options.out, "folder for the logs; created if missing, must contain no logs")->required();
  app.add_option("--truth", options.truth, "file to write the truth to, as JSON lines");
  add_shape(app, options.spec);
  add_features(app, options.spec);
  add_injections(app, options.spec);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (Status status = validate(options.spec); !status.is_ok()) {
    std::cerr << "tauprof-generate: " << status.message() << '\n';
    return 2;
  }
  return -1;
}

}  // namespace tauprof::generator
