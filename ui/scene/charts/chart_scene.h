#pragma once

#include "ui/scene/charts/chart_style.h"
#include "ui/scene/charts/named_chart.h"

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

/// Charts over each other in one window, as curves or as a matrix. Pixels count from the lower left corner.
/// UI thread.
class ChartScene {
 public:
  /// `window` must outlive it.
  explicit ChartScene(vtkRenderWindow* window);
  ~ChartScene();
  ChartScene(const ChartScene&) = delete;
  ChartScene& operator=(const ChartScene&) = delete;

  void setTheme(const ChartTheme& theme);
  /// Whether a zoom stays: the part of x that is seen does when the new charts reach over the same x.
  void setCharts(std::vector<NamedChart> charts, bool keepZoom = false);
  bool empty() const { return charts_.empty(); }

  /// Shows all of the data again.
  void resetView();
  bool zoomed() const { return view_ != all_; }
  /// The part of the data that is seen.
  const ChartBounds& view() const { return view_; }
  /// Enlarges about a pixel; a factor below 1 shrinks.
  void zoom(double x, double y, double factor);
  /// Moves what is seen with the hand.
  void pan(double dx, double dy);
  /// What lies under a pixel: name and values, a line each; "" where nothing is near.
  std::string textAt(double x, double y) const;
  /// Where in the scan that is, mm RAS+; none where nothing is near, or what is near is of no place.
  std::optional<Vec3<double>> placeAt(double x, double y) const;

  void render();
  /// The picture as it was rendered last, as a document of SVG.
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
  void placeTicks();  ///< at whole numbers, where there are no others
  bool isMatrix() const;
  /// The series and the number of its point that lie nearest to a pixel; null where none is near.
  std::pair<const DrawnSeries*, std::size_t> nearestTo(double x, double y) const;
  /// Pixels of a data point, as rendered last.
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
  double unit_ = 1;  ///< pixels of a point
};

}  // namespace sulcus::ui::scene
