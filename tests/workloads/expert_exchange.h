// Sends each token to the rank of its expert and brings the result back.
//
// Which expert a token goes to is fixed, so that every rank knows all counts without asking: of E experts the first one
// gets `--expert-imbalance` times as many tokens as each of the others. Every rank sends the same counts.
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

  int rows_here() const { return rows_here_; }  // that this rank's expert works on

  // The tokens of all ranks for the expert here, and back again. A gradient takes the same ways.
  Buffer dispatch(const Buffer& tokens);
  Buffer combine(const Buffer& rows);

 private:
  void exchange(Element* received, const std::vector<int>& receive_rows, const Element* sent,
                const std::vector<int>& send_rows);

  Machine& machine_;
  std::vector<int> rows_of_expert_;  // of one rank's tokens
  std::vector<int> rows_from_rank_;  // for the expert here
  int rows_here_ = 0;
  std::int32_t* order_ = nullptr;  // tokens, sorted by expert
};

}  // namespace training
