#pragma once

#include "core/math/vec3.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sulcus {

/// What a plot shows: series over common axes, or a matrix as a picture.
struct Chart {
  enum class Kind {
    line,    ///< y over x
    points,  ///< y over x, marks only
    band,    ///< between y and y2 over x, e.g. a credible band
    bars,    ///< y over x, a histogram's bars
    marks    ///< vertical lines at x; no y
  };
  struct Series {
    std::string name;  ///< of the legend; series of one name in two results get a pair of colors
    Kind kind = Kind::line;
    std::vector<double> x, y, y2;
    std::vector<Vec3<float>> places{};  ///< of what each point tells, mm RAS+: a click leads there; or none
  };
  /// Rows from top to bottom, columns from left to right, e.g. a design matrix.
  struct Matrix {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
  };
  /// Labels with their unit. These and the names are in Latin letters: charts are drawn with no others.
  std::string title, xLabel, yLabel;
  std::vector<Series> series;
  std::optional<Matrix> matrix;  ///< drawn instead of the series
};

/// A chart that a result, or the inputs of a run, can give.
struct Plot {
  std::string name;  ///< of its tab; plots of one name in two results share a chart
  bool followsCrosshair = false;
  /// Makes it for a position in world mm; called on a worker, quick (≤ 50 ms). Empty series where there is
  /// nothing to show there; the title says why.
  std::function<Chart(const Vec3<double>& p_in_world)> make;
};

}  // namespace sulcus
