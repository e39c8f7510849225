// Distributions of statistics, from Boost.Math. Only distributions.cpp includes its headers, which take a compiler
// seconds.
#pragma once

namespace tauprof {

// How likely a value at least as far from 0 as `t` is by chance. `degrees`: of freedom, above 0.
double two_sided_p(double t, double degrees);
// The value that is exceeded with probability 1 − `probability`.
double t_quantile(double probability, double degrees);
double normal_cdf(double value);

// How likely a value of `f` or more is by chance. Degrees of freedom are above 0.
double f_tail(double f, double degrees_above, double degrees_below);

// No more than f_tail, and the less the more degrees there are below; takes a tenth of the time.
double f_tail_at_least(double f, double degrees_above, double degrees_below);

}  // namespace tauprof
