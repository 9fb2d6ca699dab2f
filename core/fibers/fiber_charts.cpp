#include "core/fibers/fiber_charts.h"

#include "core/analysis/chart_parts.h"
#include "core/base/sentence.h"
#include "core/fibers/response/response.h"

#include <cmath>
#include <numbers>

namespace sulcus::fibers {

Plot responsePlot(std::span<const double> zonal, double b) {
  Chart chart = emptyChart(text("Response of a single fiber, b = ", std::lround(b), " s/mm²"),
                           "angle from the fiber (degrees)", "signal over that at b = 0");
  Chart::Series curve{"response", Chart::Kind::line};
  for (int degrees = 0; degrees <= 90; ++degrees) {
    curve.x.push_back(degrees);
    curve.y.push_back(responseAt(zonal, degrees * std::numbers::pi / 180));
  }
  chart.series.push_back(std::move(curve));
  return fixedPlot("Response", std::move(chart));
}

Plot tissueResponsePlot(std::span<const std::vector<std::vector<double>>> responses,
                        std::span<const double> shells) {
  struct Curve {
    const char* name;
    std::size_t tissue;
    double angle;  ///< from the fiber, radians
  };
  constexpr Curve kCurves[] = {{"white matter, across the fiber", 0, std::numbers::pi / 2},
                               {"white matter, along the fiber", 0, 0},
                               {"gray matter", 1, 0},
                               {"CSF", 2, 0}};
  Chart chart = emptyChart("Responses of the tissues", "b (s/mm²)", "signal / white matter at b = 0");
  const double unit = responseAt(std::span(responses[0][0]).first(1), 0);
  for (const Curve& curve : kCurves) {
    if (responses[curve.tissue].empty()) continue;
    Chart::Series series{curve.name, Chart::Kind::line};
    for (std::size_t shell = 0; shell < shells.size(); ++shell) {
      series.x.push_back(shells[shell]);
      series.y.push_back(responseAt(responses[curve.tissue][shell], curve.angle) / unit);
    }
    chart.series.push_back(std::move(series));
  }
  return fixedPlot("Responses", std::move(chart));
}

}  // namespace sulcus::fibers
