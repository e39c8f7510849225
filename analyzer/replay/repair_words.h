// Repairs as options of `tauprof whatif`: "--fix rank:2", "--without stalls,rank:3,steps:4:9". A finding says its
// repair so, and whoever asks gets that very repair: what is written here is read here.
//
// After the first word, in any order and separated by commas, stand
//
//   rank:N, stage:N              whom it is about; without: all
//   step:N, steps:A:B            the steps; without: all
//   window:N, windows:A:B        the same, where the cause lies in the device windows of these steps (ChosenSteps)
//   host, device                 of --fix rank:N: the side that is at fault, where no peer is an example for the other
//   else:ROW                     of --fix rank:N: what goes where nothing is an example
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/repair_plan.h"

namespace tauprof {

struct AskedRepair {
  Repair repair;
  int32_t stage = -1;  // the ranks of this pipeline stage, too; -1: of none
};

// `option`: "fix", "without" or "fuse-update", with its value. False: it does not begin as one of its repairs, and is
// something else. `wrong` says what is wrong with the rest; empty: nothing is.
bool read_repair(std::string_view option, std::string_view value, AskedRepair& asked, std::string& wrong);

// "--fix rank:2"; empty: no option says it.
std::string option_of(const Repair& repair);

// The rows that --without names, in order.
std::vector<std::string_view> named_rows();

// What --fix begins with; what may stand behind the first word of a repair, and behind --fix rank:N besides.
std::vector<std::string_view> named_fixes();
std::vector<std::string_view> named_places();
std::vector<std::string_view> named_faults();

// "rank:N, stage:N"
std::string listed(const std::vector<std::string_view>& words);

}  // namespace tauprof
