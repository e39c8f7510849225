#include "metrics/statistics/students_t.h"

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

}  // namespace tauprof
