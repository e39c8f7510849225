// Student's t distribution, from Boost.Math. Only students_t.cpp includes its headers, which take a compiler seconds.
#pragma once

namespace tauprof {

// How likely a value at least as far from 0 as `t` is by chance. `degrees`: of freedom, above 0.
double two_sided_p(double t, double degrees);
// The value that is exceeded with probability 1 − `probability`.
double t_quantile(double probability, double degrees);
double normal_cdf(double value);

}  // namespace tauprof
