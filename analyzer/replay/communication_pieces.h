// When a device was beside communication: stretches of time in which none runs, one waits for its members, or one moves
// data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/time.h"

namespace tauprof {

enum class Beside : uint8_t { kNothing, kWaiting, kMoving };

class CommunicationPieces {
 public:
  // A collective from when it started until it ended; it moved data from `moves` on.
  void add(Nanoseconds start, Nanoseconds moves, Nanoseconds end);
  // To be called once all are added.
  void sort();
  bool is_empty() const { return pieces_.empty(); }

  // Calls take(length, beside) for the pieces from `start` on, in order, until it returns false.
  template <class Take>
  void walk(Nanoseconds start, Take&& take) const {
    auto next = std::upper_bound(pieces_.begin(), pieces_.end(), start,
                                 [](Nanoseconds time, const Piece& piece) { return time < piece.start; });
    Beside beside = next == pieces_.begin() ? Beside::kNothing : (next - 1)->beside;
    for (Nanoseconds from = start;; ++next) {
      const Nanoseconds until = next == pieces_.end() ? std::numeric_limits<Nanoseconds>::max() : next->start;
      if (!take(until - from, beside) || next == pieces_.end()) return;
      from = until;
      beside = next->beside;
    }
  }

 private:
  struct Change {
    Nanoseconds time;
    int8_t waiting, moving;  // how many more of them
  };
  struct Piece {
    Nanoseconds start;
    Beside beside;
  };
  std::vector<Change> changes_;
  std::vector<Piece> pieces_;
};

}  // namespace tauprof
