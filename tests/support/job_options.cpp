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
               throw CLI::ValidationError(text, "not a number where one is expected");
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
  app.add_option("--ranks", spec.ranks, "1 to 1024");
  app.add_option("--hosts", spec.hosts, "spread the ranks over so many hosts, each with a boot id of its own");
  app.add_option("--devices-per-process", spec.devices_per_process, "ranks that share a log");
  app.add_option("--steps", spec.steps);
  app.add_option("--events-per-rank", spec.events_per_rank, "as many steps as make so many calls and spans");
  app.add_option("--seed", spec.seed);
  app.add_option("--layers", spec.layers);
  app.add_option("--micro-batches", spec.micro_batches);
  app.add_option("--eval-every", spec.eval_every, "an evaluation after each so many steps");
  app.add_option("--eval-batches", spec.eval_batches);
  app.add_option("--readback-every", spec.readback_every, "the loss is read back every so many steps");
  app.add_option("--layers-per-bucket", spec.layers_per_bucket);
  app.add_option("--layer-bytes", spec.layer_bytes);
  app.add_option("--message-bytes", spec.message_bytes);
  app.add_option("--link-bytes-per-us", spec.link_bytes_per_us);
  app.add_option("--jitter-permille", spec.jitter_permille);
  add_duration(app, "--gemm", spec.gemm_ns, "device time of a matrix multiplication");
  add_duration(app, "--elementwise", spec.elementwise_ns, "device time of a small kernel");
  add_duration(app, "--optimizer", spec.optimizer_ns, "device time of an optimizer kernel");
  add_duration(app, "--link-latency", spec.link_latency_ns, "of every collective");
  add_duration(app, "--call", spec.call_ns, "host time of a call");
  add_duration(app, "--between-calls", spec.between_calls_ns, "host time between calls");
}

void add_features(CLI::App& app, JobSpec& spec) {
  app.add_option("--tensor-parallel", spec.tensor_parallel, "ranks that share a layer: a second communication stream");
  app.add_option("--pipeline", spec.pipeline, "stages, joined by point-to-point messages");
  app.add_flag("--sharded", spec.is_sharded, "all-gather and reduce-scatter instead of all-reduce");
  app.add_flag("--broadcast", spec.has_broadcast, "buffers are broadcast at the begin of a step");
  app.add_flag("--all-to-all", spec.has_all_to_all, "in every layer");
  app.add_flag("--all-to-all-by-messages", spec.is_exchange_by_messages, "it is a group of sends and receives");
  app.add_flag("--grouped-buckets", spec.has_grouped_buckets, "one collective a layer, in a group for each bucket");
  app.add_flag("--buffered-sends", spec.has_buffered_sends, "a sender does not wait for its receiver");
  app.add_flag("--graph", spec.has_graph, "the optimizer is a graph launch without node records");
  app.add_flag("--outside-work", spec.has_outside_work, "device work before the first and after the last step");
  app.add_flag("--orphans", spec.has_orphans, "one device span a step without a recorded call");
  app.add_flag("--autograd,!--no-autograd", spec.has_autograd, "backward is launched by a second thread");
  app.add_flag("--marked-data-wait,!--unmarked-data-wait", spec.has_marked_data_wait, "the loader has a range");
  app.add_flag("--second-network", spec.has_second_network, "with a pass and an update of its own in each step");
  app.add_flag("--varying-steps", spec.has_varying_steps, "up to two layers more in some steps");
  app.add_flag("--phase-ranges,!--no-phase-ranges", spec.has_phase_ranges, "ranges inside the steps");
  const std::map<std::string, StepMarker> markers{
      {"nvtx", StepMarker::kNvtx}, {"annotation", StepMarker::kAnnotation}, {"none", StepMarker::kNone}};
  app.add_option("--marker", spec.marker)->transform(CLI::CheckedTransformer(markers));
  const std::map<std::string, StepEnd> ends{{"stream-sync", StepEnd::kStreamSync},
                                            {"device-sync", StepEnd::kDeviceSync},
                                            {"blocking-copy", StepEnd::kBlockingCopy},
                                            {"none", StepEnd::kNone}};
  app.add_option("--step-end", spec.step_end)->transform(CLI::CheckedTransformer(ends));
  app.add_option("--missing", spec.missing, "ranks whose log is not written")->delimiter(',');
}

void add_injections(CLI::App& app, JobSpec& spec) {
  add_injection(app, "--slow-rank", spec.slow_ranks, parse_rank_value, parse_factor, "RANK=FACTOR on its kernels");
  add_injection(app, "--throttle", spec.throttled, parse_rank_value, parse_factor, "the same, seen in telemetry");
  add_injection(app, "--slow-link", spec.slow_links, parse_rank_value, parse_factor, "RANK=FACTOR on transfers");
  add_injection(app, "--busy-host", spec.busy_hosts, parse_rank_value, parse_factor, "RANK=FACTOR between calls");
  add_injection(app, "--extra-kernels", spec.extra_kernels, parse_rank_value, parse_count, "RANK=COUNT in each layer");
  add_injection(app, "--layer-sync", spec.layer_syncs, parse_rank_value, parse_count, "RANK=1: wait after each layer");
  add_injection(app, "--clock-offset", spec.clock_offsets, parse_rank_value, parse_duration, "RANK=DURATION");
  add_injection(app, "--device-offset", spec.device_offsets, parse_rank_value, parse_duration,
                "RANK=DURATION that its device is ahead of its host");
  add_injection(app, "--clock-drift", spec.clock_drifts, parse_rank_value, parse_ppm, "RANK=PPM that its clock gains");
  add_injection(app, "--wall-clock-error", spec.wall_clocks, parse_rank_value, parse_duration, "RANK=DURATION");
  add_injection(app, "--wrong-time", spec.wrong_times, parse_step_value, parse_duration,
                "RANK:STEP=DURATION added to the times of a collective's kernel in the log");
  add_injection(app, "--slow-step", spec.slow_steps, parse_step_value, parse_factor, "RANK:STEP=FACTOR on its kernels");
  add_injection(app, "--cpu-contention", spec.contentions, parse_step_value, parse_duration,
                "RANK:STEP=DURATION without a CPU, seen in telemetry");
  add_injection(app, "--stall", spec.stalls, parse_step_value, parse_duration, "RANK:STEP=DURATION off the CPU");
  add_injection(app, "--data-wait", spec.data_waits, parse_step_value, parse_duration, "RANK:STEP=DURATION");
  add_injection(app, "--gap", spec.recording_gaps, parse_step_value, parse_duration,
                "RANK:STEP=DURATION without recording, before the step");
  add_injection(app, "--drop", spec.drops, parse_step_value, parse_count, "RANK:STEP=COUNT of lost compute spans");
}

}  // namespace

int parse_job_options(int argc, char** argv, JobOptions& options) {
  CLI::App app("Writes the logs of a simulated training job, and the truth about it.");
  app.add_option("--out", options.out, "folder for the logs; made if missing, must hold none")->required();
  app.add_option("--truth", options.truth, "file for the truth, as JSON lines");
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
