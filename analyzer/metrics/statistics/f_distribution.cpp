#include "metrics/statistics/f_distribution.h"

#include <boost/math/distributions/fisher_f.hpp>

namespace tauprof {

double f_tail(double f, double degrees_above, double degrees_below) {
  const boost::math::fisher_f distribution(degrees_above, degrees_below);
  return boost::math::cdf(boost::math::complement(distribution, f));
}

}  // namespace tauprof
