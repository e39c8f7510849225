// Contents of the process's graphs: kernels, copies, fills, matrix multiplications.
//
// When a graph is instantiated, the driver is asked for its nodes, whoever put them there: a program, cuBLAS, NCCL,
// Triton. The sizes of matrix multiplications are in no node; they are noted as they are captured. Equal items of one
// graph are counted. All is known by the mark of the capture (graph_captures.h), which launches of the graph have in
// the log. Graphs in a graph are looked into. The last item of a graph is the number of its nodes; where something of
// it is not known, there is none: how often the bodies of conditional nodes run, a node that an executable was given.
#pragma once

#include <cuda.h>
#include <stdint.h>

#include "capture/rings/recorded_unit.h"
#include "log/writer.h"

namespace tauprof::capture {

class GraphContents {
 public:
  // Any thread. Not under a lock: the driver has its own.
  void ask(uint32_t mark, CUgraph graph);
  void add_gemm(uint32_t mark, uint16_t function, uint64_t batch, const ShapeUnit& shape);
  // The multiplications of `part` are in `mark`, too.
  void add_gemms_of(uint32_t part, uint32_t mark);
  // Whether the node does this work already. Any may be asked for that was there when its graph was instantiated.
  bool has_kernel(CUgraphNode node, const char* name);
  bool copies(CUgraphNode node, uint64_t bytes);
  bool fills(CUgraphNode node, uint64_t bytes);

  // The writer thread.
  void write_rows(log::Writer& writer);

 private:
  static constexpr uint32_t kMost = 1u << 14;       // items
  static constexpr uint64_t kMostNodes = 1u << 18;  // that are asked for in all: a program may instantiate all the time
  struct Item {
    uint32_t mark;
    log::GraphItem kind;
    bool is_final, is_written;
    uint32_t name;  // in text_table; of a multiplication: its function's hook number
    uint64_t count;
    uint64_t bytes;  // of a multiplication: its batch
    ShapeUnit shape;
  };

  bool take_nodes(uint32_t mark, CUgraph graph, uint64_t& count);
  bool take_node(uint32_t mark, CUgraphNode node, uint64_t& count);
  bool add(const Item& item);
  bool make_tables();
  uint16_t& slot_of(const Item& item);

  Item* items_;
  uint16_t* slots_;  // index into items_, from 1; twice as many as items
  uint32_t count_;
  uint64_t nodes_asked_;
  bool is_full_;
  uint32_t version_;
  uint32_t written_version_;
  uint32_t lock_;
};

extern GraphContents graph_contents;

}  // namespace tauprof::capture
