#pragma once

#include "ui/scene/charts/chart_style.h"
#include "ui/scene/charts/named_chart.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <vtkSmartPointer.h>

class vtkChartXY;
class vtkContextActor;
class vtkPlot;
class vtkRenderer;
class vtkRenderWindow;
class vtkTable;
class vtkTextActor;

namespace sulcus::ui::scene {

class MatrixItem;

/// Overlaid charts in one window, as curves or as a matrix. Pixels count from the lower left corner. UI
/// thread.
class ChartScene {
 public:
  /// `window` must outlive it.
  explicit ChartScene(vtkRenderWindow* window);
  ~ChartScene();
  ChartScene(const ChartScene&) = delete;
  ChartScene& operator=(const ChartScene&) = delete;

  void setTheme(const ChartTheme& theme);
  /// `keepZoom`: the visible part of x stays if the new charts cover the same x.
  void setCharts(std::vector<NamedChart> charts, bool keepZoom = false);
  bool empty() const { return charts_.empty(); }

  /// Shows all of the data again.
  void resetView();
  bool zoomed() const { return view_ != all_; }
  /// The visible part of the data.
  const ChartBounds& view() const { return view_; }
  /// Zooms about a pixel; a factor below 1 zooms out.
  void zoom(double x, double y, double factor);
  /// Moves the visible part along with the mouse.
  void pan(double dx, double dy);
  /// Name and values at a pixel, one per line; "" if nothing is near.
  std::string textAt(double x, double y) const;
  /// The corresponding position in the scan, mm RAS+; none if nothing is near, or if what is near has no
  /// position.
  std::optional<Vec3<double>> placeAt(double x, double y) const;
  /// What the point at a pixel is about; null if nothing is near, or if it is about nothing of its own.
  const Chart::Subject* subjectAt(double x, double y) const;

  /// The names of the cell of a matrix of pairs at a pixel; nullopt elsewhere.
  std::optional<std::pair<std::string, std::string>> pairAt(double x, double y) const;

  void render();
  /// The picture as last rendered, as an SVG document.
  std::string svg() const;

 private:
  struct Marks {
    vtkSmartPointer<vtkTable> table;
    vtkSmartPointer<vtkPlot> plot;
  };
  void build();
  void addSeries(const DrawnSeries& drawn);
  void dressAxis(int place, const std::string& title);
  void applyView();
  void placeTicks();  ///< at integers, if no other values occur
  bool isMatrix() const;
  /// Pixels from a point of a series, or from its bar of this width, to a pixel; infinite before it is drawn.
  double distanceTo(const Chart::Series& series, std::size_t i, double width, double x, double y) const;
  /// The series and the index of its point nearest to a pixel; null if none is near.
  std::pair<const DrawnSeries*, std::size_t> nearestTo(double x, double y) const;
  /// Pixel coordinates of a data point, as last rendered.
  std::optional<std::pair<double, double>> pixelOf(double x, double y) const;

  vtkRenderWindow* window_;
  vtkSmartPointer<vtkRenderer> renderer_;
  vtkSmartPointer<vtkContextActor> actor_;
  vtkSmartPointer<vtkChartXY> chart_;
  vtkSmartPointer<MatrixItem> matrix_;
  vtkSmartPointer<vtkTextActor> message_;
  std::vector<NamedChart> charts_;
  std::vector<DrawnSeries> drawn_;
  std::vector<Marks> marks_;
  ChartTheme theme_;
  ChartBounds all_, view_;
  double unit_ = 1;                 ///< pixels per point
  std::array<int, 2> placedFor_{};  ///< the size in pixels that the ticks were chosen for
};

}  // namespace sulcus::ui::scene
