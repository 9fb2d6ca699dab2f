#include "ui/scene/charts/matrix_item.h"

#include "ui/scene/common/colormap.h"
#include "ui/scene/common/text_font.h"

#include <algorithm>
#include <cmath>

#include <vtkBrush.h>
#include <vtkContext2D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPen.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {
namespace {

constexpr double kTurn = 45;           ///< rotation of the column names, degrees
constexpr double kNamePoints = 11;     ///< font sizes, points
constexpr double kTitlePoints = 12.5;  ///< "
constexpr double kWidestCell = 90;     ///< points

/// Rows between two numbers on the left: 1, 2, 5, 10, 20, … so that at most `most` are shown.
int rowStep(int rows, int most) {
  for (int decade = 1;; decade *= 10)
    for (const int step : {1, 2, 5})
      if (rows / (step * decade) < std::max(most, 1)) return step * decade;
}

/// The largest absolute value of each column.
std::vector<double> reachOf(const Chart::Matrix& matrix) {
  std::vector<double> reach(matrix.columns.size(), 0);
  for (const auto& row : matrix.rows)
    for (std::size_t c = 0; c < std::min(reach.size(), row.size()); ++c)
      if (std::isfinite(row[c])) reach[c] = std::max(reach[c], std::abs(row[c]));
  return reach;
}

/// Black to white from −reach to reach.
Rgb grayOf(double value, double reach) {
  const double share = reach > 0 ? value / reach : 0;
  const auto gray =
      static_cast<unsigned char>(std::isfinite(share) ? std::lround(127.5 + 127.5 * share) : 127);
  return {gray, gray, gray};
}

}  // namespace

vtkStandardNewMacro(MatrixItem);

void MatrixItem::setChart(const Chart& chart, const ChartTheme& theme) {
  chart_ = chart;
  theme_ = theme;
  Modified();
}

void MatrixItem::setGeometry(int width, int height, double unit) {
  width_ = width;
  height_ = height;
  unit_ = unit;
}

void MatrixItem::setFont(vtkContext2D* painter, double points, double turn) const {
  vtkTextProperty* text = painter->GetTextProp();
  scene::setFont(text, points);
  text->SetColor(theme_.text[0] / 255.0, theme_.text[1] / 255.0, theme_.text[2] / 255.0);
  text->SetOpacity(1);
  text->SetOrientation(turn);
  text->SetJustificationToLeft();
  text->SetVerticalJustificationToCentered();
}

vtkRectf MatrixItem::layOut(vtkContext2D* painter) {
  const auto columns = std::max<std::size_t>(chart_.matrix->columns.size(), 1);
  setFont(painter, kNamePoints);
  float widest = 0, bounds[4] = {};
  for (const auto& name : chart_.matrix->columns) {
    painter->ComputeStringBounds(name.c_str(), bounds);
    widest = std::max(widest, bounds[2]);
  }
  painter->ComputeStringBounds("0000", bounds);
  const double em = kNamePoints * unit_;
  const double above = widest * std::sin(kTurn * M_PI / 180) + 1.2 * em;
  const double title = chart_.title.empty() ? 0.5 * em : 2.2 * em;
  const double left = bounds[2] + (chart_.yLabel.empty() ? 1.2 : 2.8) * em;
  const double right = widest * std::cos(kTurn * M_PI / 180) + em, below = 0.8 * em;
  const double width =
      std::min(width_ - left - right, double(columns) * kWidestCell * unit_);  // few columns do not fill it
  const double height = height_ - above - title - below;
  return {float(std::floor(left)), float(std::floor(below)), float(std::floor(std::max(width, 8.0))),
          float(std::floor(std::max(height, 8.0)))};
}

bool MatrixItem::Paint(vtkContext2D* painter) {
  if (!chart_.matrix || chart_.matrix->rows.empty() || chart_.matrix->columns.empty()) return true;
  box_ = layOut(painter);
  paintCells(painter, box_);
  paintNames(painter, box_);
  paintRows(painter, box_);
  if (!chart_.title.empty()) {
    setFont(painter, kTitlePoints);
    painter->GetTextProp()->SetVerticalJustificationToTop();
    painter->DrawString(box_.GetX(), float(height_ - 0.5 * kNamePoints * unit_), chart_.title.c_str());
  }
  return true;
}

void MatrixItem::paintCells(vtkContext2D* painter, const vtkRectf& box) const {
  const auto& columns = chart_.matrix->columns;
  const auto& rows = chart_.matrix->rows;
  const std::vector<double> reach = reachOf(*chart_.matrix);
  const double most = reach.empty() ? 0 : *std::max_element(reach.begin(), reach.end());
  const auto colors = colormapTable("magma");
  const auto colorOfCell = [&, ofPairs = isOfPairs()](const std::vector<double>& row, std::size_t c) {
    const double value = c < row.size() ? row[c] : 0;
    if (!ofPairs) return grayOf(value, reach[c]);
    const bool counted = most > 0 && value > 0 && std::isfinite(value);
    const double share = counted ? std::log1p(value) / std::log1p(most) : 0;
    const Rgba& color = colors[std::size_t(share * double(colors.size() - 1))];
    return Rgb{color[0], color[1], color[2]};
  };
  // With its exact size in screen pixels, so that texture interpolation does not blur cells.
  const int width = int(box.GetWidth()), height = int(box.GetHeight());
  vtkNew<vtkImageData> image;
  image->SetDimensions(width, height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto* pixel = static_cast<unsigned char*>(image->GetScalarPointer());
  for (int y = 0; y < height; ++y) {
    const auto& row = rows[rows.size() - 1 - std::size_t(double(y) * double(rows.size()) / height)];
    for (int x = 0; x < width; ++x, pixel += 3) {
      const Rgb color = colorOfCell(row, std::size_t(double(x) * double(columns.size()) / width));
      std::copy_n(color.begin(), 3, pixel);
    }
  }
  painter->DrawImage(box, image);
  painter->GetPen()->SetLineType(vtkPen::SOLID_LINE);
  painter->GetPen()->SetWidth(float(unit_));
  painter->GetPen()->SetColor(theme_.text[0], theme_.text[1], theme_.text[2], 160);
  painter->GetBrush()->SetOpacity(0);
  painter->DrawRect(box.GetX(), box.GetY(), box.GetWidth(), box.GetHeight());
}

void MatrixItem::paintNames(vtkContext2D* painter, const vtkRectf& box) const {
  const auto& columns = chart_.matrix->columns;
  const double cell = box.GetWidth() / double(columns.size()), em = kNamePoints * unit_;
  setFont(painter, kNamePoints, kTurn);
  painter->GetTextProp()->SetVerticalJustificationToBottom();
  const auto every =
      std::max<std::size_t>(1, std::size_t(std::ceil(1.1 * em / std::sin(kTurn * M_PI / 180) / cell)));
  for (std::size_t c = 0; c < columns.size(); c += every)
    painter->DrawString(float(box.GetX() + cell * (double(c) + 0.5) - 0.3 * em),
                        float(box.GetY() + box.GetHeight() + 0.4 * em), columns[c].c_str());
}

void MatrixItem::paintRows(vtkContext2D* painter, const vtkRectf& box) const {
  const int rows = int(chart_.matrix->rows.size());
  const double em = kNamePoints * unit_;
  setFont(painter, kNamePoints);
  painter->GetTextProp()->SetJustificationToRight();
  const int step = rowStep(rows, int(box.GetHeight() / (2.5 * em)));
  for (int row = 1; row <= rows; row += row == 1 && step > 1 ? step - 1 : step) {
    const std::string name = isOfPairs() ? chart_.matrix->columns[std::size_t(row) - 1] : std::to_string(row);
    painter->DrawString(float(box.GetX() - 0.5 * em),
                        float(box.GetY() + box.GetHeight() * (1 - (row - 0.5) / rows)), name.c_str());
  }
  if (chart_.yLabel.empty()) return;
  setFont(painter, kNamePoints, 90);
  painter->GetTextProp()->SetJustificationToCentered();
  painter->DrawString(float(0.9 * em), float(box.GetY() + box.GetHeight() / 2), chart_.yLabel.c_str());
}

bool MatrixItem::isOfPairs() const {
  return !chart_.xLabel.empty() && chart_.xLabel == chart_.yLabel &&
         chart_.matrix->rows.size() == chart_.matrix->columns.size();
}

/// Row and column at a pixel.
std::optional<std::pair<std::size_t, std::size_t>> MatrixItem::cellAt(double x, double y) const {
  if (!chart_.matrix || chart_.matrix->rows.empty()) return {};
  const Chart::Matrix& matrix = *chart_.matrix;
  const double u = (x - box_.GetX()) / box_.GetWidth(), v = 1 - (y - box_.GetY()) / box_.GetHeight();
  if (!(u >= 0 && u < 1 && v >= 0 && v < 1)) return {};
  const std::pair cell(std::size_t(v * double(matrix.rows.size())),
                       std::size_t(u * double(matrix.columns.size())));
  return cell.second < matrix.rows[cell.first].size() ? std::optional(cell) : std::nullopt;
}

std::string MatrixItem::textAt(double x, double y) const {
  const auto cell = cellAt(x, y);
  if (!cell) return {};
  const Chart::Matrix& matrix = *chart_.matrix;
  const double value = matrix.rows[cell->first][cell->second];
  if (const auto pair = pairAt(x, y))
    return pair->first + " - " + pair->second + ": " + chartNumber(value) + (value == 1 ? " line" : " lines");
  return matrix.columns[cell->second] + ", row " + std::to_string(cell->first + 1) + ": " +
         chartNumber(value);
}

std::optional<std::pair<std::string, std::string>> MatrixItem::pairAt(double x, double y) const {
  const auto cell = cellAt(x, y);
  if (!cell || !isOfPairs()) return {};
  const auto& names = chart_.matrix->columns;
  return std::pair(names[std::min(cell->first, cell->second)], names[std::max(cell->first, cell->second)]);
}

}  // namespace sulcus::ui::scene
