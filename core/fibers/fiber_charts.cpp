#include "core/fibers/fiber_charts.h"

#include "core/base/sentence.h"
#include "core/fibers/response.h"

#include <cmath>
#include <numbers>

namespace sulcus::fibers {

Plot responsePlot(std::span<const double> zonal, double b) {
  Chart chart{text("Response of a single fiber, b = ", std::lround(b), " s/mm2"),
              "angle from the fiber (degrees)",
              "signal over that at b = 0",
              {},
              {}};
  Chart::Series curve{"response", Chart::Kind::line, {}, {}, {}};
  for (int degrees = 0; degrees <= 90; ++degrees) {
    curve.x.push_back(degrees);
    curve.y.push_back(responseAt(zonal, degrees * std::numbers::pi / 180));
  }
  chart.series.push_back(std::move(curve));
  return {"Response", false, [chart](const Vec3<double>&) { return chart; }};
}

Plot tissueResponsePlot(std::span<const std::vector<std::vector<double>>> responses,
                        std::span<const double> shells) {
  constexpr const char* kNames[] = {"white matter", "gray matter", "CSF"};
  Chart chart{"Responses of the tissues",
              "angle from the fiber (degrees)",
              "signal over that of white matter at b = 0",
              {},
              {}};
  const double unit = responseAt(std::span(responses[0][0]).first(1), 0);
  for (std::size_t t = 0; t < responses.size(); ++t)
    for (std::size_t shell = 1; shell < shells.size(); ++shell) {
      Chart::Series curve{
          text(kNames[t], ", b = ", std::lround(shells[shell])), Chart::Kind::line, {}, {}, {}};
      for (int degrees = 0; degrees <= 90; ++degrees) {
        curve.x.push_back(degrees);
        curve.y.push_back(responseAt(responses[t][shell], degrees * std::numbers::pi / 180) / unit);
      }
      chart.series.push_back(std::move(curve));
    }
  return {"Responses", false, [chart](const Vec3<double>&) { return chart; }};
}

}  // namespace sulcus::fibers
