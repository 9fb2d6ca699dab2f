#pragma once

#include "core/analysis/chart.h"
#include "ui/scene/charts/chart_style.h"

#include <optional>
#include <string>
#include <utility>

#include <vtkContextItem.h>
#include <vtkRect.h>

namespace sulcus::ui::scene {

/// A matrix as a picture: gray is 0, white and black are the largest absolute value of a column; counts of
/// pairs are colored by their logarithm, from 0 on. The names of the columns are above it, row numbers, or
/// names, on its left. Owned by a scene, UI thread.
class MatrixItem : public vtkContextItem {
 public:
  static MatrixItem* New();
  vtkTypeMacro(MatrixItem, vtkContextItem);

  void setChart(const Chart& chart, const ChartTheme& theme);
  /// Size of the whole item in pixels; `unit`: pixels per point.
  void setGeometry(int width, int height, double unit);
  /// "visual, row 13: 0.532", or "" outside the picture.
  std::string textAt(double x, double y) const;
  /// The names of a cell of pairs, the one that comes first first; nullopt for others, and outside.
  std::optional<std::pair<std::string, std::string>> pairAt(double x, double y) const;

  bool Paint(vtkContext2D* painter) override;

 private:
  std::optional<std::pair<std::size_t, std::size_t>> cellAt(double x, double y) const;
  bool isOfPairs() const;
  vtkRectf layOut(vtkContext2D* painter);
  void paintCells(vtkContext2D* painter, const vtkRectf& box) const;
  void paintNames(vtkContext2D* painter, const vtkRectf& box) const;
  void paintRows(vtkContext2D* painter, const vtkRectf& box) const;
  void setFont(vtkContext2D* painter, double points, double turn = 0) const;

  Chart chart_;
  ChartTheme theme_;
  int width_ = 0, height_ = 0;
  double unit_ = 1;
  vtkRectf box_;  ///< of the cells, as last painted
};

}  // namespace sulcus::ui::scene
