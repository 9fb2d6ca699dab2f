#include "ui/scene/charts/chart_scene.h"

#include "ui/scene/charts/matrix_item.h"
#include "ui/scene/charts/svg_device.h"
#include "ui/scene/common/text_font.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <vtkAxis.h>
#include <vtkBrush.h>
#include <vtkChartLegend.h>
#include <vtkChartXY.h>
#include <vtkContextActor.h>
#include <vtkContextScene.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPen.h>
#include <vtkPlotArea.h>
#include <vtkPlotLine.h>
#include <vtkPlotPoints.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

namespace sulcus::ui::scene {
namespace {

using Kind = Chart::Kind;

constexpr double kNear = 16;  ///< points: the reach of a tool tip

/// Rows whose numbers are all finite, as columns of a table.
vtkSmartPointer<vtkTable> tableOf(const std::vector<const std::vector<double>*>& columns) {
  static const char* const names[] = {"x", "y", "y2"};
  auto table = vtkSmartPointer<vtkTable>::New();
  std::size_t rows = columns.front()->size();
  for (const auto* column : columns) rows = std::min(rows, column->size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    vtkNew<vtkDoubleArray> array;
    array->SetName(names[c]);
    for (std::size_t i = 0; i < rows; ++i)
      if (std::all_of(columns.begin(), columns.end(), [i](const auto* v) { return std::isfinite((*v)[i]); }))
        array->InsertNextValue((*columns[c])[i]);
    table->AddColumn(array);
  }
  return table;
}

/// The outline of bars as two curves over the same x.
vtkSmartPointer<vtkTable> barTable(const Chart::Series& bars) {
  std::vector<double> x, low, high;
  const double half = 0.46 * barWidth(bars);  // a thin gap separates them
  for (std::size_t i = 0; i < std::min(bars.x.size(), bars.y.size()); ++i)
    for (const auto& [at, top] : {std::pair(-half, 0.0), {-half, bars.y[i]}, {half, bars.y[i]}, {half, 0.0}})
      x.push_back(bars.x[i] + at), low.push_back(0), high.push_back(top);
  return tableOf({&x, &low, &high});
}

vtkSmartPointer<vtkPlotArea> areaOf(vtkTable* table) {
  auto area = vtkSmartPointer<vtkPlotArea>::New();
  area->SetInputData(table);
  area->SetInputArray(0, "x");
  area->SetInputArray(1, "y");
  area->SetInputArray(2, "y2");
  return area;
}

void setColor(vtkTextProperty* text, const Rgb& color) {
  text->SetColor(color[0] / 255.0, color[1] / 255.0, color[2] / 255.0);
}

}  // namespace

ChartScene::ChartScene(vtkRenderWindow* window) : window_(window) {
  renderer_ = vtkSmartPointer<vtkRenderer>::New();
  actor_ = vtkSmartPointer<vtkContextActor>::New();
  chart_ = vtkSmartPointer<vtkChartXY>::New();
  matrix_ = vtkSmartPointer<MatrixItem>::New();
  message_ = vtkSmartPointer<vtkTextActor>::New();
  actor_->GetScene()->SetRenderer(renderer_);
  actor_->GetScene()->AddItem(chart_);
  actor_->GetScene()->AddItem(matrix_);
  renderer_->AddActor(actor_);
  renderer_->AddViewProp(message_);
  chart_->SetRenderEmpty(true);
  chart_->SetAutoAxes(false);
  for (const int place : {vtkAxis::LEFT, vtkAxis::BOTTOM}) chart_->GetAxis(place)->SetVisible(true);
  vtkTextProperty* text = message_->GetTextProperty();
  setFont(text, 13);
  text->SetJustificationToCentered();
  text->SetVerticalJustificationToCentered();
  message_->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
  message_->SetPosition(0.5, 0.5);
  window_->AddRenderer(renderer_);
  build();
}

ChartScene::~ChartScene() { window_->RemoveRenderer(renderer_); }

bool ChartScene::isMatrix() const { return !charts_.empty() && charts_.front().chart.matrix.has_value(); }

void ChartScene::setTheme(const ChartTheme& theme) {
  if (theme == theme_) return;
  theme_ = theme;
  build();
}

void ChartScene::setCharts(std::vector<NamedChart> charts, bool keepZoom) {
  charts_ = std::move(charts);
  drawn_ = drawnSeries(charts_);
  // Without a point there is nothing to draw axes for: the title says why.
  if (std::ranges::all_of(drawn_, [](const DrawnSeries& drawn) { return drawn.series.x.empty(); }))
    drawn_.clear();
  const ChartBounds before = all_;
  const bool keepX = keepZoom && zoomed();
  all_ = boundsOf(drawn_);
  if (keepX && before.xLow == all_.xLow && before.xHigh == all_.xHigh)
    view_.yLow = all_.yLow, view_.yHigh = all_.yHigh;
  else
    view_ = all_;
  build();
}

void ChartScene::resetView() {
  view_ = all_;
  applyView();
}

void ChartScene::dressAxis(int place, const std::string& title) {
  vtkAxis* axis = chart_->GetAxis(place);
  axis->SetTitle(title);
  axis->SetBehavior(vtkAxis::FIXED);
  const auto& [r, g, b] = theme_.text;
  axis->GetPen()->SetColor(r, g, b, 160);
  axis->GetPen()->SetWidth(float(unit_));
  axis->GetGridPen()->SetColor(r, g, b, 36);
  axis->GetGridPen()->SetWidth(float(unit_));
  for (vtkTextProperty* text : {axis->GetLabelProperties(), axis->GetTitleProperties()}) {
    setColor(text, theme_.text);
    setFont(text, 11);
  }
}

void ChartScene::build() {
  const bool matrix = isMatrix(), curves = !matrix && !drawn_.empty();
  renderer_->SetBackground(theme_.background[0] / 255.0, theme_.background[1] / 255.0,
                           theme_.background[2] / 255.0);
  chart_->SetVisible(curves);
  matrix_->SetVisible(matrix);
  message_->SetVisibility(!matrix && !curves);
  message_->SetInput(titleOf(charts_).c_str());
  setColor(message_->GetTextProperty(), theme_.text);
  if (matrix) matrix_->setChart(charts_.front().chart, theme_);
  chart_->ClearPlots();
  marks_.clear();
  if (!curves) return;

  chart_->SetTitle(titleOf(charts_));
  setColor(chart_->GetTitleProperties(), theme_.text);
  setFont(chart_->GetTitleProperties(), 12);
  dressAxis(vtkAxis::BOTTOM, charts_.front().chart.xLabel);
  dressAxis(vtkAxis::LEFT, charts_.front().chart.yLabel);
  for (const DrawnSeries& drawn : drawn_) addSeries(drawn);
  chart_->SetShowLegend(std::any_of(drawn_.begin(), drawn_.end(),
                                    [](const DrawnSeries& drawn) { return !drawn.label.empty(); }));
  vtkChartLegend* legend = chart_->GetLegend();
  legend->SetInline(false);  // next to the curves, never on top of them
  legend->SetHorizontalAlignment(vtkChartLegend::RIGHT);
  legend->SetVerticalAlignment(vtkChartLegend::TOP);
  legend->SetSymbolWidth(int(28 * unit_));
  legend->SetPadding(int(5 * unit_));
  setColor(legend->GetLabelProperties(), theme_.text);
  setFont(legend->GetLabelProperties(), 11);
  legend->GetPen()->SetOpacity(0);
  legend->GetBrush()->SetColor(theme_.background[0], theme_.background[1], theme_.background[2], 255);
  applyView();
}

void ChartScene::addSeries(const DrawnSeries& drawn) {
  const Chart::Series& series = drawn.series;
  const auto& [r, g, b] = drawn.color;
  vtkSmartPointer<vtkPlot> plot;
  float width = float(1.8 * unit_);
  int opacity = 255;
  switch (series.kind) {
    case Kind::band:
      plot = areaOf(tableOf({&series.x, &series.y, &series.y2}));
      opacity = 60;
      width = 0;
      break;
    case Kind::bars:
      if (drawn.dashed) {  // an outline: two overlapping fills would give a third color
        plot = vtkSmartPointer<vtkPlotLine>::New();
        plot->SetInputData(barTable(series), "x", "y2");
      } else {
        plot = areaOf(barTable(series));
        opacity = 130;
        width = 0;
      }
      break;
    case Kind::line:
    case Kind::points: {
      const auto table = tableOf({&series.x, &series.y});
      if (series.kind == Kind::line && table->GetNumberOfRows() > 1) {
        plot = vtkSmartPointer<vtkPlotLine>::New();
      } else {  // with fewer than two points there is no line
        auto points = vtkSmartPointer<vtkPlotPoints>::New();
        constexpr int kMarkers[kShapes] = {vtkPlotPoints::CIRCLE, vtkPlotPoints::SQUARE,
                                           vtkPlotPoints::DIAMOND};
        points->SetMarkerStyle(drawn.dashed ? int(vtkPlotPoints::PLUS) : kMarkers[drawn.shape]);
        points->SetMarkerSize(float((drawn.dashed ? 8 : 7) * unit_));
        opacity = 220;
        plot = points;
      }
      plot->SetInputData(table, "x", "y");
      break;
    }
    case Kind::marks: {
      auto lines = vtkSmartPointer<vtkPlotLine>::New();
      lines->SetPolyLine(false);
      plot = lines;
      std::vector<double> x;  // each twice: the two ends of its line
      for (const double at : series.x) x.insert(x.end(), 2, at);
      const std::vector<double> y(x.size(), 0);  // set with the view
      const auto table = tableOf({&x, &y});
      plot->SetInputData(table, "x", "y");
      marks_.push_back({table, plot});
      width = float(1.4 * unit_);
      break;
    }
  }
  plot->SetLabel(drawn.label);
  plot->GetBrush()->SetColor(r, g, b, static_cast<unsigned char>(opacity));
  plot->GetPen()->SetColor(r, g, b, static_cast<unsigned char>(opacity));
  plot->GetPen()->SetWidth(width);
  const bool isDashed = drawn.dashed && series.kind == Kind::line;
  plot->GetPen()->SetLineType(isDashed ? vtkPen::DASH_LINE : vtkPen::SOLID_LINE);
  if (series.kind == Kind::marks) plot->GetPen()->SetLineType(vtkPen::DASH_DOT_LINE);
  plot->SetSelectable(false);
  chart_->AddPlot(plot);
}

void ChartScene::applyView() {
  chart_->GetAxis(vtkAxis::BOTTOM)->SetRange(view_.xLow, view_.xHigh);
  chart_->GetAxis(vtkAxis::LEFT)->SetRange(view_.yLow, view_.yHigh);
  placeTicks();
  for (const auto& [table, plot] : marks_) {
    auto* y = vtkDoubleArray::SafeDownCast(table->GetColumnByName("y"));
    for (vtkIdType i = 0; i < y->GetNumberOfTuples(); ++i) y->SetValue(i, i % 2 ? view_.yHigh : view_.yLow);
    y->Modified();
    table->Modified();
    plot->Modified();
  }
  chart_->Modified();
}

void ChartScene::placeTicks() {
  constexpr double kTickWidth = 64, kTickHeight = 28;  // points: the room of a number
  constexpr int kMostTicks = 10;
  const int* size = window_->GetSize();
  placedFor_ = {size[0], size[1]};
  const auto fitting = [&](int pixels, double room) {
    return std::clamp(int(pixels / (room * unit_)), 2, kMostTicks);
  };
  const auto place = [&](int axisPlace, const std::vector<double>& ticks) {
    vtkAxis* axis = chart_->GetAxis(axisPlace);
    if (ticks.empty()) return axis->SetCustomTickPositions(nullptr);  // zoomed in between two integers
    vtkNew<vtkDoubleArray> places;
    vtkNew<vtkStringArray> labels;
    for (const double tick : ticks) {
      places->InsertNextValue(tick);
      labels->InsertNextValue(chartNumber(tick));
    }
    axis->SetCustomTickPositions(places, labels);
    return true;
  };
  place(vtkAxis::BOTTOM,
        niceTicks(view_.xLow, view_.xHigh, fitting(size[0], kTickWidth), isOverWholeNumbers(drawn_) ? 1 : 0));
  place(vtkAxis::LEFT, niceTicks(view_.yLow, view_.yHigh, fitting(size[1], kTickHeight)));
}

std::optional<std::pair<double, double>> ChartScene::pixelOf(double x, double y) const {
  const int *low = chart_->GetPoint1(), *high = chart_->GetPoint2();
  if (isMatrix() || drawn_.empty() || high[0] <= low[0] || high[1] <= low[1]) return std::nullopt;
  return std::pair(low[0] + (x - view_.xLow) / (view_.xHigh - view_.xLow) * (high[0] - low[0]),
                   low[1] + (y - view_.yLow) / (view_.yHigh - view_.yLow) * (high[1] - low[1]));
}

void ChartScene::zoom(double x, double y, double factor) {
  const auto low = pixelOf(view_.xLow, view_.yLow), high = pixelOf(view_.xHigh, view_.yHigh);
  if (!low || !(factor > 0)) return;
  const auto about = [factor](double& from, double& to, double share) {
    share = std::clamp(share, 0.0, 1.0);
    const double middle = from + share * (to - from), width = (to - from) / factor;
    if (!(width > 1e-9 * std::max(std::abs(from), std::abs(to)))) return;  // the limit of float
    from = middle - share * width;
    to = from + width;
  };
  // On an axis, only that axis is stretched.
  if (x >= low->first) about(view_.xLow, view_.xHigh, (x - low->first) / (high->first - low->first));
  if (y >= low->second) about(view_.yLow, view_.yHigh, (y - low->second) / (high->second - low->second));
  applyView();
}

void ChartScene::pan(double dx, double dy) {
  const auto low = pixelOf(view_.xLow, view_.yLow), high = pixelOf(view_.xHigh, view_.yHigh);
  if (!low) return;
  const double x = dx / (high->first - low->first) * (view_.xHigh - view_.xLow);
  const double y = dy / (high->second - low->second) * (view_.yHigh - view_.yLow);
  view_.xLow -= x;
  view_.xHigh -= x;
  view_.yLow -= y;
  view_.yHigh -= y;
  applyView();
}

double ChartScene::distanceTo(const Chart::Series& series, std::size_t i, double width, double x,
                              double y) const {
  const bool isMark = series.kind == Kind::marks;
  const auto at = pixelOf(series.x[i], isMark ? view_.yLow : series.y[i]);
  if (!at) return std::numeric_limits<double>::infinity();
  if (isMark) return std::abs(at->first - x);
  const double distance = std::hypot(at->first - x, at->second - y);
  if (series.kind == Kind::bars) {
    const auto left = pixelOf(series.x[i] - width / 2, 0), right = pixelOf(series.x[i] + width / 2, 0);
    const bool inside = x >= left->first && x < right->first &&
                        (y - left->second) * (y - at->second) <= 0;  // between its base and its top
    if (inside) return std::min(distance, 2 * unit_);
  }
  if (series.kind == Kind::band && i < series.y2.size())
    return std::min(distance, std::hypot(at->first - x, pixelOf(0, series.y2[i])->second - y));
  return distance;
}

std::pair<const DrawnSeries*, std::size_t> ChartScene::nearestTo(double x, double y) const {
  std::pair<const DrawnSeries*, std::size_t> nearest{};
  double best = kNear * unit_;
  for (const DrawnSeries& drawn : drawn_) {
    const Chart::Series& series = drawn.series;
    const double width = series.kind == Kind::bars ? barWidth(series) : 0;
    std::size_t points = series.x.size();
    if (series.kind != Kind::marks) points = std::min(points, series.y.size());
    for (std::size_t i = 0; i < points; ++i) {
      const double distance = distanceTo(series, i, width, x, y);
      if (!(distance < best)) continue;
      best = distance;
      nearest = {&drawn, i};
    }
  }
  return nearest;
}

std::optional<Vec3<double>> ChartScene::placeAt(double x, double y) const {
  if (isMatrix()) return std::nullopt;
  const auto [nearest, point] = nearestTo(x, y);
  if (!nearest || point >= nearest->series.places.size()) return std::nullopt;
  const Vec3<float>& p = nearest->series.places[point];
  return Vec3<double>{p.x, p.y, p.z};
}

std::optional<std::pair<std::string, std::string>> ChartScene::pairAt(double x, double y) const {
  return isMatrix() ? matrix_->pairAt(x, y) : std::nullopt;
}

const Chart::Subject* ChartScene::subjectAt(double x, double y) const {
  if (isMatrix()) return nullptr;
  const auto [nearest, point] = nearestTo(x, y);
  return nearest && point < nearest->series.subjects.size() ? &nearest->series.subjects[point] : nullptr;
}

std::string ChartScene::textAt(double x, double y) const {
  if (isMatrix()) return matrix_->textAt(x, y);
  const auto [nearest, place] = nearestTo(x, y);
  if (!nearest) return {};
  const Chart& chart = charts_.front().chart;
  const Chart::Series& series = nearest->series;
  std::string text = nearest->label;
  const auto add = [&text](const std::string& name, const std::string& value) {
    if (!text.empty()) text += '\n';
    if (!name.empty()) text += name + ": ";
    text += value;
  };
  if (place < series.subjects.size())
    add("", series.subjects[place].name);
  else
    add(chart.xLabel, chartNumber(series.x[place]));
  if (series.kind == Kind::marks) return text;
  std::string value = chartNumber(series.y[place]);
  if (series.kind == Kind::band && place < series.y2.size()) value += " to " + chartNumber(series.y2[place]);
  add(chart.yLabel, value);
  return text;
}

void ChartScene::render() {
  const double unit = window_->GetDPI() / 72.0;
  if (unit != unit_) {
    unit_ = unit;
    build();
  }
  const int* size = window_->GetSize();
  matrix_->setGeometry(size[0], size[1], unit_);
  if (placedFor_ != std::array{size[0], size[1]}) placeTicks();
  const auto shifts = [this] {
    std::vector<vtkRectd> all;
    for (vtkIdType i = 0; i < chart_->GetNumberOfPlots(); ++i)
      all.push_back(chart_->GetPlot(i)->GetShiftScale());
    return all;
  };
  const auto before = shifts();
  window_->Render();
  // The chart moves its origin when the view is far from it, and lines follow one frame late.
  if (shifts() != before) window_->Render();
}

std::string ChartScene::svg() const {
  const int* size = window_->GetSize();
  vtkNew<SvgDevice> device;
  device->start(size[0], size[1], unit_);
  actor_->SetForceDevice(device);
  actor_->RenderOverlay(renderer_);
  actor_->SetForceDevice(nullptr);
  return device->document(titleOf(charts_));
}

}  // namespace sulcus::ui::scene
