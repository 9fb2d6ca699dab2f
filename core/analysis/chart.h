#pragma once

#include "core/math/vec3.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus {

struct Layer;

/// The content of a plot: series over common axes, or a matrix as an image.
struct Chart {
  enum class Kind {
    line,    ///< y over x
    points,  ///< y over x, marks only
    band,    ///< between y and y2 over x, e.g. a credible band
    bars,    ///< y over x, a histogram's bars
    marks    ///< vertical lines at x; no y
  };
  /// What a point is about, e.g. a person.
  struct Subject {
    std::string name;
    std::shared_ptr<const Layer> image;  ///< that its value is from, which a click shows; may be null
    int volume = 0;                      ///< of the image
  };
  struct Series {
    std::string name;  ///< in the legend; series of the same name in two results get a pair of colors
    Kind kind = Kind::line;
    std::vector<double> x{}, y{}, y2{};
    std::vector<Vec3<float>> places{};  ///< position that each point describes, mm RAS+, for clicks; or empty
    std::vector<Subject> subjects{};    ///< of each point; or empty
  };
  /// Rows from top to bottom, columns from left to right, e.g. a design matrix. Where both axes have the same
  /// label, as in a connectome, the rows are called as the columns are, and a cell counts what connects two
  /// of them.
  struct Matrix {
    std::vector<std::string> columns;
    std::vector<std::vector<double>> rows;
  };
  /// Labels with their unit. All text is in Latin letters, the only ones that charts can draw.
  std::string title, xLabel, yLabel;
  std::vector<Series> series;
  std::optional<Matrix> matrix;  ///< drawn instead of the series
};

/// A chart provided by a result or by the inputs of a run.
struct Plot {
  std::string name;  ///< of its tab; plots of the same name in two results share a chart
  bool followsCrosshair = false;
  /// Makes the chart for a position in world mm; called on a worker, fast (≤ 50 ms). If there is nothing to
  /// show there, the series are empty and the title says why.
  std::function<Chart(const Vec3<double>& p_in_world)> make;
};

}  // namespace sulcus
