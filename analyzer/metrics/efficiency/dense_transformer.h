// Operations that a dense transformer needs for a step of the whole job, by its sizes. A check of what was counted, and
// no more than that: the formula is wrong for experts, tables, frozen layers and much else.
//
// A dense transformer with N parameters in L layers, whose heads are W wide in sum, trains on D tokens in sequences of
// S:
//
//   6·N·D + 12·L·W·S·D
//
// (forward 2·N and 4·L·W·S for each token, backward twice that). N is without tables that are only looked up. PyTorch
// says N, L and W; the user (--tokens, --batch) or PyTorch (metrics/input/step_tokens.h) the tokens of a rank and how
// many sequences they are, so S = tokens / sequences. Known only where every rank has the whole model and data of its
// own: one rank, DDP, FSDP2. Example: N = 7e9, L = 32, W = 4096, 4 ranks with 16384 tokens in 4 sequences each:
// 6·7e9·65536 + 12·32·4096·4096·65536 = 2.75e15 + 0.42e15.
#pragma once

#include <optional>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// `tokens`, `batch`: of a rank in a step. `devices`: of the whole job. nullopt: not known.
std::optional<double> dense_transformer_flops(const std::vector<const RankTimeline*>& ranks, int32_t devices,
                                              const std::optional<double>& tokens, const std::optional<double>& batch);

}  // namespace tauprof
