#include "metrics/statistics/distributions.h"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace tauprof {

double two_sided_p(double t, double degrees) {
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), std::abs(t)));
}

double t_quantile(double probability, double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), probability);
}

double normal_cdf(double value) { return boost::math::cdf(boost::math::normal(), value); }

double f_tail(double f, double degrees_above, double degrees_below) {
  const boost::math::fisher_f distribution(degrees_above, degrees_below);
  return boost::math::cdf(boost::math::complement(distribution, f));
}

namespace {

// Without the global sign that std::lgamma writes.
double log_gamma(double value) {
  int sign;
  return lgamma_r(value, &sign);
}

}  // namespace

// The tail is the incomplete beta function I_x(a, b): x^a (1 − x)^b / (a B(a, b)), times a series of positive terms of
// which the first is 1.
double f_tail_at_least(double f, double degrees_above, double degrees_below) {
  const double a = degrees_below / 2, b = degrees_above / 2;
  const double odds = f * b / a;  // (1 − x) / x
  const double log_x = -std::log1p(odds);
  return std::exp(a * log_x + b * (std::log(odds) + log_x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b)) / a;
}

}  // namespace tauprof
