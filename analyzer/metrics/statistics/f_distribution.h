// Fisher's F distribution, from Boost.Math. Only f_distribution.cpp includes its headers, which take a compiler
// seconds.
#pragma once

namespace tauprof {

// How likely a value of `f` or more is by chance. Degrees of freedom are above 0.
double f_tail(double f, double degrees_above, double degrees_below);

// No more than f_tail, and the less the more degrees there are below; takes a tenth of the time.
double f_tail_at_least(double f, double degrees_above, double degrees_below);

}  // namespace tauprof
