#include "app/analyses/preparation/preparation_report.h"

#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/bids/report/report_image.h"
#include "core/bids/report/slices.h"
#include "core/bids/results/outputs.h"
#include "core/bids/results/result_values.h"
#include "core/image/grids/value_check.h"
#include "core/image/table_columns.h"
#include "core/preparation/carpet.h"
#include "core/preparation/diffusion/eddy_currents.h"
#include "core/preparation/motion_parameters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <string_view>
#include <utility>

namespace sulcus::app::analyses {
namespace {

using bids::Color;

/// A column of the table of motion, NaN where it has no number; empty if there is no such column.
std::vector<double> columnOf(const TableLayer& table, const std::string& name) {
  const auto column = columnNamed(table, name);
  if (!column) return {};
  std::vector<double> values;
  for (const auto& row : table.rows) values.push_back(numberIn(row[*column]).value_or(NAN));
  return values;
}

/// The table of motion of a prepared scan; null for other results.
const TableLayer* motionTable(const RunResult& result) {
  for (const char* name : {"prepared_confounds", "prepared_motion"})
    if (const Layer* const layer = bids::layerNamed(result, name))
      return std::get_if<TableLayer>(&layer->content);
  return nullptr;
}

/// The largest absolute value, ignoring NaN.
double largestOf(std::span<const double> values) {
  double most = 0;
  for (const double value : values)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  return most;
}

double meanOf(std::span<const double> values) {
  double sum = 0, count = 0;
  for (const double value : values)
    if (std::isfinite(value)) sum += value, ++count;
  return count > 0 ? sum / count : NAN;
}

/// A picture of panels, one below the other, with volumes from left to right.
class TracePicture {
 public:
  TracePicture(int volumes, int height)
      : volumes_(volumes), picture_{std::clamp(2 * volumes, 500, 1000), height, {}} {
    picture_.rgb.assign(std::size_t(3 * picture_.width) * std::size_t(height), 255);
  }

  int width() const { return picture_.width; }
  int volumeAt(int x) const { return std::min(volumes_ - 1, int(std::int64_t(x) * volumes_ / width())); }

  void set(int x, int y, Color color) {
    const auto at = 3 * (std::size_t(y) * std::size_t(width()) + std::size_t(x));
    picture_.rgb[at] = color.red;
    picture_.rgb[at + 1] = color.green;
    picture_.rgb[at + 2] = color.blue;
  }

  /// A horizontal line.
  void rule(int y, Color color) {
    for (int x = 0; x < width(); ++x) set(x, y, color);
  }

  /// Values between `low` and `high` in a panel, connected from volume to volume.
  void trace(std::span<const double> values, Range range, int top, int height, Color color) {
    int before = -1;
    for (int x = 0; x < width(); ++x) {
      const double value = values[std::size_t(volumeAt(x))];
      if (!std::isfinite(value)) continue;
      const double share = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0);
      const int y = top + int(std::lround((1 - share) * (height - 1)));
      if (before < 0) before = y;
      for (int step = std::min(y, before); step <= std::max(y, before); ++step) set(x, step, color);
      before = y;
    }
  }

  io::Picture take() { return std::move(picture_); }

 private:
  int volumes_;
  io::Picture picture_;
};

constexpr Color kBlack{20, 20, 20}, kRed{200, 40, 30}, kLight{225, 225, 225};
constexpr Color kAxes[] = {{200, 40, 30}, {20, 140, 50}, {40, 80, 210}};

/// Each row is the series of a voxel, from −2 to 2 standard deviations in gray.
void drawCarpet(TracePicture& picture, const std::vector<std::vector<double>>& rows, int top) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (int x = 0; x < picture.width(); ++x) {
      const double z = rows[row][std::size_t(picture.volumeAt(x))];
      if (!std::isfinite(z)) continue;
      const auto gray = std::uint8_t(std::lround(255 * std::clamp(0.5 + z / 4, 0.0, 1.0)));
      picture.set(x, top + int(row), {gray, gray, gray});
    }
}

/// Three columns of the table of motion, one for each axis.
struct AxesPanel {
  const char *prefix, *unit, *words;
  double factor;
};

constexpr AxesPanel kAxesPanels[] = {
    {"trans_", " mm", "shifts to the right (red), front (green) and top (blue)", 1},
    {"rot_", "°", "rotations about these axes", 180 / std::numbers::pi},
    {"eddy_", " mm", "displacement by eddy currents 50 mm from the center along these axes", 1}};

/// Draws the columns of an axis each and returns the caption.
std::string drawAxes(TracePicture& picture, const TableLayer& table, const AxesPanel& panel, int top,
                     int height) {
  std::vector<std::vector<double>> traces;
  double most = 0.1;
  for (const char* axis : {"x", "y", "z"}) {
    traces.push_back(columnOf(table, std::string(panel.prefix) + axis));
    for (double& value : traces.back()) value *= panel.factor;
    most = std::max(most, largestOf(traces.back()));
  }
  picture.rule(top + height / 2, kLight);
  for (std::size_t k = 0; k < traces.size(); ++k)
    picture.trace(traces[k], {-most, most}, top, height, kAxes[k]);
  return text("; ", panel.words, ", ±", most, panel.unit);
}

bids::ReportPicture tracesOf(const RunResult& result, const TableLayer& table) {
  constexpr int kPanel = 70, kCarpet = 200, kGap = 8;
  using preparation::kHighDisplacement;
  const int volumes = int(table.rows.size());
  const Layer* const layer = bids::layerNamed(result, "prepared_bold");
  const auto* series = layer ? std::get<VolumeLayer>(layer->content).series.get() : nullptr;
  if (series && series->count != volumes) series = nullptr;
  const auto dvars = columnOf(table, "std_dvars");
  const bool hasEddy = !columnOf(table, "eddy_x").empty();
  const int panels = 3 + !dvars.empty() + hasEddy;
  TracePicture picture(volumes, panels * (kPanel + kGap) + (series ? kCarpet : 0));
  std::string caption = text("Over ", counted(volumes, "volume"), ", from top to bottom: ");
  int top = 0;

  const auto displacement = columnOf(table, "framewise_displacement");
  const double far = std::max(2 * kHighDisplacement, largestOf(displacement));
  picture.rule(int(std::lround((1 - kHighDisplacement / far) * (kPanel - 1))), kLight);
  picture.trace(displacement, {0, far}, top, kPanel, kBlack);
  for (int x = 0; x < picture.width(); ++x)
    if (displacement[std::size_t(picture.volumeAt(x))] > kHighDisplacement) picture.set(x, 0, kRed);
  caption +=
      text("framewise displacement to ", far, " mm (line and red marks: above ", kHighDisplacement, " mm)");
  top += kPanel + kGap;
  if (!dvars.empty()) {
    const double most = std::max(2.0, largestOf(dvars));
    picture.trace(dvars, {0, most}, top, kPanel, kBlack);
    caption += text("; change of the signal between volumes (standardized DVARS) to ", most);
    top += kPanel + kGap;
  }
  for (const AxesPanel& panel : kAxesPanels) {
    if (panel.prefix == std::string_view("eddy_") && !hasEddy) continue;
    caption += drawAxes(picture, table, panel, top, kPanel);
    top += kPanel + kGap;
  }
  if (series) {
    const auto mask = bids::imageOf(bids::layerNamed(result, "mask"));
    const auto isInside = [&](std::int64_t i) { return !mask || mask[i] > 0; };
    const auto voxels = preparation::carpetVoxels(series->grid.voxels(), isInside, kCarpet);
    drawCarpet(picture, preparation::carpetOf(*series, voxels), top);
    caption +=
        "; the prepared series of brain voxels, from the top of the head to the bottom (black and white: 2 "
        "s.d.)";
  }
  return {caption + ".", picture.take(), false};
}

}  // namespace

std::optional<bids::Name> preparedName(const bids::Name& source, const std::string& stem) {
  static const std::map<std::string, std::pair<const char*, const char*>> kNames{
      {"prepared_bold", {"preproc", "bold"}},
      {"prepared_dwi", {"preproc", "dwi"}},
      {"prepared_boldref", {"", "boldref"}},
      {"prepared_dwiref", {"", "dwiref"}},
      {"prepared_mask", {"brain", "mask"}},
      {"prepared_confounds", {"confounds", "timeseries"}},
      {"prepared_motion", {"confounds", "timeseries"}},
      {"prepared_fieldmap", {"preproc", "fieldmap"}},
      {"prepared_noise", {"noise", "dwimap"}},
      {"prepared_rank", {"rank", "dwimap"}}};
  const auto found = kNames.find(stem);
  if (found == kNames.end()) return {};
  return bids::described(source, found->second.first, found->second.second);
}

std::vector<bids::Figure> preparationFigures(const RunResult& result) {
  const TableLayer* const table = motionTable(result);
  if (!table) return {};
  const auto displacement = columnOf(*table, "framewise_displacement");
  const auto high = std::ranges::count_if(
      displacement, [](double value) { return value > preparation::kHighDisplacement; });
  std::vector<bids::Figure> figures{
      {"mean_displacement", "mm", "Mean framewise displacement of the head", meanOf(displacement)},
      {"largest_displacement", "mm", "Largest framewise displacement", largestOf(displacement)},
      {"moved_volumes", "volumes", "Volumes before which the head moved by more than 0.5 mm", double(high)}};
  double eddy = 0;
  for (const std::string& name : preparation::eddyNames())
    eddy = std::max(eddy, largestOf(columnOf(*table, name)));
  if (!columnOf(*table, "eddy_x").empty())
    figures.push_back(
        {"largest_eddy_term", "mm", "Largest term of the displacement by eddy currents, at 50 mm", eddy});
  if (const auto dvars = columnOf(*table, "std_dvars"); !dvars.empty())
    figures.push_back({"mean_dvars", "",
                       "Change of the signal between volumes, relative to that of noise alone",
                       meanOf(dvars)});
  return figures;
}

std::vector<bids::ReportPicture> preparationPictures(const RunResult& result, const AnalysisInputs& inputs,
                                                     const std::string& slot) {
  const TableLayer* const table = motionTable(result);
  if (!table || table->rows.empty()) return {};
  std::vector<bids::ReportPicture> pictures{tracesOf(result, *table)};
  const bids::ReportImage before = bids::inputImage(inputs, slot),
                          after = bids::imageOf(bids::layerNamed(result, "prepared_bold")),
                          mask = bids::imageOf(bids::layerNamed(result, "mask"));
  if (!before || !after || !mask || !sameGrid(before.grid(), mask.grid())) return pictures;
  const auto outline = bids::edges(mask.volume(), 0.5f);
  for (const auto& [image, words] : {std::pair(&before, "as acquired"), std::pair(&after, "prepared")}) {
    const auto gray = bids::grays(image->values());
    pictures.push_back({text("The first volume ", words, ", with the outline of the analyzed voxels."),
                        bids::slices(
                            image->grid(),
                            [&](std::int64_t i) {
                              return outline(i) ? Color{255, 200, 0} : gray(i);
                            },
                            bids::visibleIn(before))});
  }
  return pictures;
}

}  // namespace sulcus::app::analyses
