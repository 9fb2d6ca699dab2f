#include "core/registration/fit.h"

#include <cmath>

namespace sulcus::registration {

RegistrationFit fitOf(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& region) {
  double n = 0, meanM = 0, meanR = 0;
  for (std::size_t i = 0; i < region.size(); ++i)
    if (region[i]) meanM += moving[i], meanR += reference[i], ++n;
  if (n == 0) return {};
  meanM /= n, meanR /= n;
  double mm = 0, rr = 0, mr = 0, misfit = 0;
  for (std::size_t i = 0; i < region.size(); ++i)
    if (region[i]) {
      const double m = moving[i] - meanM, r = reference[i] - meanR, d = double(moving[i]) - reference[i];
      mm += m * m, rr += r * r, mr += m * r, misfit += d * d;
    }
  return {mm > 0 && rr > 0 ? mr / std::sqrt(mm * rr) : 0, rr > 0 ? misfit / rr : 0};
}

}  // namespace sulcus::registration
