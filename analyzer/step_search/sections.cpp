#include "step_search/sections.h"

namespace tauprof {

std::vector<Section> sections_between(const LaunchSequence& sequence, const std::vector<StepAnchor>& anchors) {
  std::vector<Section> sections;
  for (size_t i = 0; i <= anchors.size(); ++i) {
    Section section{i == 0 ? 0 : anchors[i - 1].end, i == anchors.size() ? sequence.launches.size() : anchors[i].first};
    for (size_t at = section.start; at < section.end; ++at)
      if (is_backward_work(sequence.launches[at])) {
        section.end = at;
        break;
      }
    sections.push_back(section);
  }
  return sections;
}

}  // namespace tauprof
