#include "export/run_tables.h"

#include <array>

namespace tauprof {
namespace {

using enum ColumnType;

constexpr std::array kRunColumns = {
    TableColumn{"key", kText, "what"},
    TableColumn{"value", kText, "its value"},
};

constexpr std::array kRankColumns = {
    TableColumn{"rank", kKey, "its number"},
    TableColumn{"host", kText, "where it ran"},
    TableColumn{"device", kInteger, "the device's number on its host"},
    TableColumn{"device_name", kText, "what the device calls itself"},
    TableColumn{"log", kText, "the file that its events come from"},
    TableColumn{"steps", kInteger, "analysed steps with device windows"},
    TableColumn{"step_ns", kInteger, "their time in all"},
    TableColumn{"clock_basis", kText, "how its clock was aligned: shared, wall_clock, assumed, collectives, unknown"},
    TableColumn{"clock_uncertainty_ns", kInteger, "how far its times may be off against the first rank's"},
    TableColumn{"untimed_because", kText, "why it has no device times; null: it has"},
    TableColumn{"unmatched_spans", kInteger, "device work whose launch was not recorded"},
};

constexpr std::array kStepColumns = {
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"step", kInteger, "its number"},
    TableColumn{"analysed", kInteger, "1: the report counts it; 0: warm-up or outside of the choice"},
    TableColumn{"host_start_ns", kInteger, "start on the host"},
    TableColumn{"host_end_ns", kInteger, "end on the host"},
    TableColumn{"host_ns", kInteger, "length on the host"},
    TableColumn{"device_start_ns", kInteger, "start of the device window; null: no device times"},
    TableColumn{"device_end_ns", kInteger, "end of the device window"},
    TableColumn{"device_ns", kInteger, "length of the device window"},
    TableColumn{"compute_ns", kInteger, "time in which computation ran"},
    TableColumn{"comm_ns", kInteger, "time in which communication ran"},
    TableColumn{"busy_ns", kInteger, "time in which either ran"},
    TableColumn{"batches", kInteger, "inputs that were copied to the device"},
};

constexpr std::array kPhaseColumns = {
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"step", kInteger, "the step's number"},
    TableColumn{"phase", kText, "see metrics.md, \"Steps and phases\""},
    TableColumn{"host_ns", kInteger, "time of the host in it"},
    TableColumn{"device_ns", kInteger, "time in which work that it launched ran; null: no device times"},
};

constexpr std::array kLedgerColumns = {
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"step", kInteger, "the step's number"},
    TableColumn{"phase", kText, "the phase"},
    TableColumn{"row", kText, "of the time ledger"},
    TableColumn{"ns", kInteger, "the time; rows without any are left out"},
};

constexpr std::array kCollectiveSizeColumns = {
    TableColumn{"communicator", kText, "its name, or its identity"},
    TableColumn{"operation", kText, "all_reduce, all_gather, send, …"},
    TableColumn{"datatype", kText, "of the elements; null: not known"},
    TableColumn{"ranks", kInteger, "of the communicator"},
    TableColumn{"size_bytes", kInteger, "bytes, as in the report"},
    TableColumn{"count", kInteger, "of such collectives in analysed steps"},
    TableColumn{"algbw_gb_per_s", kReal, "size over time"},
    TableColumn{"busbw_gb_per_s", kReal, "the same as nccl-tests' bus bandwidth"},
    TableColumn{"busbw_transfer_gb_per_s", kReal, "the same without waiting"},
    TableColumn{"wait_ns", kInteger, "over all ranks"},
    TableColumn{"transfer_ns", kInteger, "over all ranks"},
    TableColumn{"skew_ns", kInteger, "from the first to the last arrival, summed"},
    TableColumn{"exposed_ns", kInteger, "over all ranks, while nothing computed"},
};

constexpr std::array kStragglerColumns = {
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"score", kReal, "the waiting that it caused, as a share of all ranks' time"},
    TableColumn{"cause", kText, "the one behind most of it"},
    TableColumn{"last_share", kReal, "of its collectives, how many it entered last"},
    TableColumn{"lateness_ns", kReal, "mean lateness"},
    TableColumn{"cost_ns_per_step", kReal, "what its peers' exposed waiting added to a step"},
    TableColumn{"persistent", kInteger, "1: in most steps"},
};

constexpr std::array kFindingColumns = {
    TableColumn{"position", kKey, "in the report, from 1"},
    TableColumn{"id", kText, "see metrics.md, \"Findings\""},
    TableColumn{"severity", kText, "info, warning, critical"},
    TableColumn{"title", kText, "the claim"},
    TableColumn{"evidence", kText, "the numbers behind it"},
    TableColumn{"advice", kText, "what to do"},
    TableColumn{"ranks", kText, "as \"0,3\"; empty: all"},
    TableColumn{"steps", kText, "the same"},
    TableColumn{"saves_ns_per_step", kReal, "what repairing it gives back; null: not known"},
    TableColumn{"saves_low_ns_per_step", kReal, "at least"},
    TableColumn{"saves_high_ns_per_step", kReal, "at most"},
    TableColumn{"saves_reason", kText, "why that is not known"},
    TableColumn{"place", kText, "where in the program"},
};

constexpr std::array kCollectiveColumns = {
    TableColumn{"collective_id", kKey, "the collective"},
    TableColumn{"communicator", kText, "its name, or its identity"},
    TableColumn{"operation", kText, "all_reduce, all_gather, send, …"},
    TableColumn{"datatype", kText, "of the elements; null: not known"},
    TableColumn{"elements", kInteger, "as passed to the call"},
    TableColumn{"expected", kInteger, "ranks that take part; 0: not known"},
    TableColumn{"members", kInteger, "ranks of which it is in the log, with device times"},
};

constexpr std::array kMemberColumns = {
    TableColumn{"collective_id", kInteger, "the collective"},
    TableColumn{"member_id", kInteger, "as in spans; a rank's group of messages is a member of several collectives"},
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"step", kInteger, "the step in which it starts; null: none"},
    TableColumn{"phase", kText, "the phase"},
    TableColumn{"start_ns", kInteger, "arrival"},
    TableColumn{"end_ns", kInteger, "its end"},
    TableColumn{"wait_ns", kInteger, "for the last rank to arrive; null: waiting cannot be told from moving data"},
    TableColumn{"transfer_ns", kInteger, "the rest"},
    TableColumn{"exposed_ns", kInteger, "while nothing computed"},
    TableColumn{"wait_is_upper_bound", kInteger, "1: it may have waited less"},
};

constexpr std::array kBlameColumns = {
    TableColumn{"collective_id", kInteger, "where ranks waited"},
    TableColumn{"step", kInteger, "in which came_late came; analysed steps only"},
    TableColumn{"late_rank", kInteger, "who is charged with it; null: nobody, it lies in a pipeline or in starting up"},
    TableColumn{"cause", kText, "see metrics.md, \"Stragglers\"; null: nobody is charged"},
    TableColumn{"ns", kReal, "of waiting; a share of a wait is no whole number"},
    TableColumn{"inherited_from", kInteger,
                "the collective that came_late left or reached late, for the same reason; null: "
                "it happened since its last one of this communicator"},
    TableColumn{"came_late", kInteger, "the member that was waited for: late_rank, or one that late_rank delayed"},
    TableColumn{"waiting_rank", kInteger, "who waited, with --steps or --ranks; null: all of them together"},
};

constexpr std::array kNameColumns = {
    TableColumn{"name_id", kKey, "of one rank: two ranks have two ids for a name"},
    TableColumn{"name", kText, "the text"},
};

constexpr std::array kStreamColumns = {
    TableColumn{"stream_id", kKey, "the stream"},
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"context", kInteger, "of CUDA"},
    TableColumn{"number", kInteger, "as CUPTI or the trace numbers it"},
};

constexpr std::array kThreadColumns = {
    TableColumn{"thread_id", kKey, "the thread"},           TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"os_id", kInteger, "the system's number"},  TableColumn{"name", kText, "its name"},
    TableColumn{"is_main", kInteger, "1: the main thread"},
};

constexpr std::array kSpanColumns = {
    TableColumn{"span_id", kKey, "the piece of work"},
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"step", kInteger, "the step in whose device window it starts; null: none"},
    TableColumn{"stream_id", kInteger, "the stream"},
    TableColumn{"start_ns", kInteger, "its start"},
    TableColumn{"duration_ns", kInteger, "its length, by the rank's own clock"},
    TableColumn{"name_id", kInteger, "its name"},
    TableColumn{"kind", kText, "kernel, memcpy, memset, graph, synchronization"},
    TableColumn{"class", kText, "compute, fused, comm, copy, unclassified; sync: no work"},
    TableColumn{"phase", kText, "that launched it"},
    TableColumn{"bytes", kInteger, "of copies"},
    TableColumn{"copy_kind", kText, "of copies: HtoD, DtoH, DtoD, …"},
    TableColumn{"call_id", kInteger, "that launched it; null: not recorded"},
    TableColumn{"member_id", kInteger, "the rank's part of a collective that it carries out; null: none"},
};

constexpr std::array kCallColumns = {
    TableColumn{"call_id", kKey, "the call"},
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"step", kInteger, "the step that it belongs to; null: none"},
    TableColumn{"thread_id", kInteger, "the thread"},
    TableColumn{"start_ns", kInteger, "its start"},
    TableColumn{"duration_ns", kInteger, "its length, by the rank's own clock"},
    TableColumn{"name_id", kInteger, "the function"},
    TableColumn{"class", kText,
                "kernel, copy, blocking_copy, awaited_copy, gemm, collective, group_end, sync, stream_wait, …"},
    TableColumn{"phase", kText, "the phase"},
    TableColumn{"outer_call_id", kInteger, "the call inside which it was made; null: none"},
    TableColumn{"stream", kInteger, "the handle of the stream that it is about; 0: the default stream, or none"},
    TableColumn{"thread_cpu_ns", kInteger, "what its thread had computed when it began; null: not read"},
    TableColumn{"end_cpu_ns", kInteger, "the same when it had returned"},
};

constexpr std::array kRangeColumns = {
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"thread_id", kInteger, "the thread"},
    TableColumn{"start_ns", kInteger, "its start"},
    TableColumn{"duration_ns", kInteger, "0 for marks"},
    TableColumn{"name_id", kInteger, "its name"},
    TableColumn{"domain_id", kInteger, "the NVTX domain's name; null: none"},
    TableColumn{"source", kText, "nvtx, nvtx_process, annotation, operator, python, profiler, framework"},
};

constexpr std::array kTelemetryColumns = {
    TableColumn{"rank", kInteger, "the rank"},
    TableColumn{"device", kInteger, "null: the host"},
    TableColumn{"time_ns", kInteger, "when it was read"},
    TableColumn{"name_id", kInteger, "the metric, with its unit"},
    TableColumn{"value", kInteger, "what was read"},
};

}  // namespace

namespace tables {
const Table kRun{"run", "facts about the run", kRunColumns};
const Table kRanks{"ranks", "ranks that have a log", kRankColumns};
const Table kSteps{"steps", "steps of each rank", kStepColumns};
const Table kPhases{"phases", "time of each phase in each step", kPhaseColumns};
const Table kLedger{"ledger", "the time ledger of each step", kLedgerColumns};
const Table kCollectiveSizes{"collective_sizes", "collectives of one size, as in the report", kCollectiveSizeColumns};
const Table kStragglers{"stragglers", "ranks that delay the others", kStragglerColumns};
const Table kFindings{"findings", "the report's findings", kFindingColumns};
const Table kCollectives{"collectives", "collectives and messages, matched over the ranks", kCollectiveColumns};
const Table kMembers{"collective_members", "each rank's part in a collective", kMemberColumns};
const Table kBlame{"blame", "who is charged with the waiting in each collective, and why", kBlameColumns};
const Table kNames{"names", "texts that other tables refer to", kNameColumns};
const Table kStreams{"streams", "streams of the devices", kStreamColumns};
const Table kThreads{"threads", "threads of the hosts", kThreadColumns};
const Table kSpans{"spans", "device work: kernels, copies, memsets, graphs", kSpanColumns};
const Table kCalls{"calls", "calls of the CUDA runtime and driver, cuBLAS, cuDNN, NCCL", kCallColumns};
const Table kRanges{"ranges", "NVTX ranges, annotations, operators and marks", kRangeColumns};
const Table kTelemetry{"telemetry", "readings of sensors", kTelemetryColumns};
}  // namespace tables

std::span<const Table* const> run_tables() {
  using namespace tables;
  static constexpr std::array kTables = {
      &kRun,     &kRanks, &kSteps, &kPhases,  &kLedger,  &kCollectiveSizes, &kStragglers, &kFindings, &kCollectives,
      &kMembers, &kBlame, &kNames, &kStreams, &kThreads, &kSpans,           &kCalls,      &kRanges,   &kTelemetry};
  return kTables;
}

}  // namespace tauprof
