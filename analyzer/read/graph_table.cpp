#include "read/graph_table.h"

#include <algorithm>

namespace tauprof {
namespace {

uint64_t number(int64_t value) { return static_cast<uint64_t>(std::max<int64_t>(0, value)); }

void add_item(const log::GraphContent& row, GraphContents& graph, RecordedState& state, GemmTable& gemms) {
  switch (static_cast<log::GraphItem>(row.kind)) {
    case log::GraphItem::kNodes:
      graph.is_complete = true;
      graph.nodes = number(row.count);
      break;
    case log::GraphItem::kKernel:
      graph.kernels.push_back(state.name(row.name));
      break;
    case log::GraphItem::kCopy:
    case log::GraphItem::kFill:
      graph.copies += number(row.count);
      graph.copied_bytes += number(row.count) * number(state.claims().memory(row.bytes));
      break;
    case log::GraphItem::kGemm:
      if (const uint32_t kind = gemms.kind_in_graph(row, state.name(row.name)); kind != kNoIndex)
        graph.products.push_back({kind, number(row.count)});
      else
        graph.has_unknown_products = true;
      break;
    case log::GraphItem::kConditional:
      graph.conditional += number(row.count);
      break;
    default:
      break;
  }
}

}  // namespace

void GraphTable::finish(ProcessTrace& trace, RecordedState& state, GemmTable& gemms) {
  std::map<int64_t, uint32_t> index_of;
  for (const auto& [item, row] : items_) {
    const auto [known, is_new] = index_of.try_emplace(row.graph, static_cast<uint32_t>(trace.graphs.size()));
    if (is_new) trace.graphs.emplace_back();
    add_item(row, trace.graphs[known->second], state, gemms);
  }
  std::sort(launches_.begin(), launches_.end());
  for (uint32_t i = 0; i < trace.calls.size() && !launches_.empty() && !trace.graphs.empty(); ++i) {
    const HostCall& call = trace.calls[i];
    if (call.call_class != CallClass::kKernel) continue;
    const auto found = std::lower_bound(launches_.begin(), launches_.end(), std::pair{call.correlation, int64_t{0}});
    if (found == launches_.end() || found->first != call.correlation) continue;
    if (const auto graph = index_of.find(found->second); graph != index_of.end())
      trace.graph_launches.push_back({i, graph->second});
  }
  *this = {};
}

}  // namespace tauprof
