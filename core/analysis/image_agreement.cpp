#include "core/analysis/image_agreement.h"

#include "core/analysis/agreement.h"
#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/numbers.h"
#include "core/image/grids/image_algebra.h"
#include "core/image/table_places.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sulcus {
namespace {

/// Pearson correlation; 0 if either input is constant.
class Correlation {
 public:
  void add(double x, double y) {
    const double dx = x - meanX_, dy = y - meanY_;
    ++count_;
    meanX_ += dx / count_;
    meanY_ += dy / count_;
    xx_ += dx * (x - meanX_);
    yy_ += dy * (y - meanY_);
    xy_ += dx * (y - meanY_);
  }
  double value() const { return xx_ > 0 && yy_ > 0 ? xy_ / std::sqrt(xx_ * yy_) : 0; }

 private:
  double count_ = 0, meanX_ = 0, meanY_ = 0, xx_ = 0, yy_ = 0, xy_ = 0;
};

}  // namespace

Layer imageAgreement(const Layer& image, int volume, const Layer& other, int otherVolume,
                     const Progress& progress) {
  const Layer difference = differenceOf(image, volume, other, otherVolume, progress);
  const Series<float>& apart = *std::get<VolumeLayer>(difference.content).series;
  const auto beside = std::get<VolumeLayer>(other.content).series->volume(otherVolume);
  const Grid& grid = apart.grid;
  std::vector<double> sizes;
  std::vector<WorstVoxel> worst;
  Correlation correlation;
  double sum = 0;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    if (i % 65536 == 0) progress.throwIfCancelled();
    const double value = apart.at(i, 0);
    if (!std::isfinite(value)) continue;
    sum += value;
    sizes.push_back(std::abs(value));
    worst.push_back({grid.voxel(i), std::abs(value)});
    correlation.add(value + double(beside.data[i]), double(beside.data[i]));
    if (worst.size() > 100'000) keepWorstVoxels(worst);
  }
  if (sizes.empty())
    throw Error("'" + image.name + "' and '" + other.name + "' cannot be compared",
                "no voxel has a number in both", "choose images of one place");
  keepWorstVoxels(worst);
  const auto compared = double(sizes.size());
  const AgreementRow all = summarized("difference", difference.unit, std::move(sizes), 0, 0, 0);

  TableLayer table;
  table.columns = {"difference", image.name, other.name, "x_mm", "y_mm", "z_mm"};
  const Vec3<double> edges = grid.spacing();
  const int decimals = placeDecimals(std::min({edges.x, edges.y, edges.z}));
  for (const WorstVoxel& one : worst) {
    const std::int64_t i = grid.index(one.voxel.x, one.voxel.y, one.voxel.z);
    const double value = apart.at(i, 0), second = beside.data[i];
    const Vec3<double> p = grid.positionOf(one.voxel);
    table.rows.push_back({numberText(value), numberText(value + second), numberText(second),
                          fixedText(p.x, decimals), fixedText(p.y, decimals), fixedText(p.z, decimals)});
  }
  const std::string unit = difference.unit.empty() ? "" : " " + difference.unit;
  Layer layer;
  layer.name = "agreement of " + image.name + " and " + other.name;
  layer.notes = {numberText(compared) + " voxels compared: correlation " +
                     numberText(std::round(1e4 * correlation.value()) / 1e4) + ", mean difference " +
                     numberText(sum / compared) + unit + ".",
                 "Size of the difference: mean " + numberText(all.mean) + ", median " +
                     numberText(all.median) + ", 95 % below " + numberText(all.percentile95) + ", at most " +
                     numberText(all.maximum) + unit + "; none in " +
                     numberText(std::round(1000 * all.shareWithin) / 10) + " % of the voxels.",
                 "Rows are the voxels that differ most; places in mm, RAS+."};
  layer.content = std::move(table);
  return layer;
}

}  // namespace sulcus
