#include "replay/communication_pieces.h"

namespace tauprof {

void CommunicationPieces::add(Nanoseconds start, Nanoseconds moves, Nanoseconds end) {
  moves = std::clamp(moves, start, std::max(start, end));
  if (moves > start) changes_.insert(changes_.end(), {{start, 1, 0}, {moves, -1, 0}});
  if (end > moves) changes_.insert(changes_.end(), {{moves, 0, 1}, {end, 0, -1}});
}

void CommunicationPieces::sort() {
  std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  int waiting = 0, moving = 0;
  for (size_t i = 0; i < changes_.size(); ++i) {
    waiting += changes_[i].waiting;
    moving += changes_[i].moving;
    if (i + 1 < changes_.size() && changes_[i + 1].time == changes_[i].time) continue;
    const Beside beside = moving > 0 ? Beside::kMoving : waiting > 0 ? Beside::kWaiting : Beside::kNothing;
    if (pieces_.empty() || pieces_.back().beside != beside) pieces_.push_back({changes_[i].time, beside});
  }
  changes_.clear();
}

}  // namespace tauprof
