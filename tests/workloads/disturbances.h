// What goes wrong on some ranks in some steps: RANK:VALUE[:EVERY[:FIRST]] on the command line, several separated by
// commas. "1:200" is so in every step, "1:200:2" in steps 0, 2, 4 …, "1:200:100:7" of a short run in step 7 alone.
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

// False: that is not how they are written.
bool read_disturbances(std::string_view text, Disturbances& out);

// What they add up to for this rank and step; 0: nothing.
double value_for(const Disturbances& disturbances, int rank, int step);

// The largest that this rank meets in any step; 0: it meets none.
double largest_for(const Disturbances& disturbances, int rank);

}  // namespace training
