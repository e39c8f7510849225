// Sends each token to the rank of its expert and brings the result back.
//
// The assignment of tokens to experts is fixed, so that every rank knows all counts without communication: the first of
// E experts gets `--expert-imbalance` times as many tokens as each of the others. Every rank sends the same counts.
#pragma once

#include <cstdint>
#include <vector>

#include "machine.h"

namespace training {

class ExpertExchange {
 public:
  explicit ExpertExchange(Machine& machine);
  ~ExpertExchange();
  ExpertExchange(const ExpertExchange&) = delete;
  ExpertExchange& operator=(const ExpertExchange&) = delete;

  int rows_here() const { return rows_here_; }  // rows for this rank's expert

  // Brings the tokens of all ranks to this rank's expert, and back again. Gradients use the same functions.
  Buffer dispatch(const Buffer& tokens);
  Buffer combine(const Buffer& rows);

 private:
  void exchange(Element* received, const std::vector<int>& receive_rows, const Element* sent,
                const std::vector<int>& send_rows);

  Machine& machine_;
  std::vector<int> rows_of_expert_;  // by expert, of one rank's tokens
  std::vector<int> rows_from_rank_;  // by rank, for this rank's expert
  int rows_here_ = 0;
  std::int32_t* order_ = nullptr;  // tokens, sorted by expert
};

}  // namespace training
