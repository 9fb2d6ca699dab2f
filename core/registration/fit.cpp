#include "core/registration/fit.h"

#include "core/base/block_sums.h"

#include <cmath>

namespace sulcus::registration {

RegistrationFit fitOf(const std::vector<float>& moving, const std::vector<float>& reference,
                      const std::vector<std::uint8_t>& region) {
  constexpr std::int64_t kBlock = 1 << 15;
  const auto [n, sumM, sumR] = blockSums<3>(std::int64_t(region.size()), kBlock, {},
                                            [&](std::int64_t begin, std::int64_t end, auto& sums) {
                                              for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
                                                if (region[i])
                                                  ++sums[0], sums[1] += moving[i], sums[2] += reference[i];
                                            });
  if (n == 0) return {};
  const double meanM = sumM / n, meanR = sumR / n;
  const auto [mm, rr, mr, misfit] = blockSums<4>(
      std::int64_t(region.size()), kBlock, {}, [&](std::int64_t begin, std::int64_t end, auto& sums) {
        for (auto i = std::size_t(begin); i < std::size_t(end); ++i)
          if (region[i]) {
            const double m = moving[i] - meanM, r = reference[i] - meanR,
                         d = double(moving[i]) - reference[i];
            sums[0] += m * m, sums[1] += r * r, sums[2] += m * r, sums[3] += d * d;
          }
      });
  return {mm > 0 && rr > 0 ? mr / std::sqrt(mm * rr) : 0, rr > 0 ? misfit / rr : 0};
}

}  // namespace sulcus::registration
