// Disturbances of some ranks in some steps: RANK:VALUE[:EVERY[:FIRST]] on the command line, separated by commas.
// "1:200" applies to every step, "1:200:2" to steps 0, 2, 4 …, and "1:200:100:7" in a short run to step 7 only.
#pragma once

#include <string_view>
#include <vector>

namespace training {

struct Disturbance {
  int rank = 0;
  double value = 0;
  int every = 1;
  int first = 0;  // step, from 0
};

using Disturbances = std::vector<Disturbance>;

// False if the text is malformed.
bool read_disturbances(std::string_view text, Disturbances& out);

// Their sum for this rank and step; 0 if none applies.
double value_for(const Disturbances& disturbances, int rank, int step);

// The largest value for this rank in any step; 0 if there is none.
double largest_for(const Disturbances& disturbances, int rank);

}  // namespace training
