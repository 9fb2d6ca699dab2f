#include "ui/scene/charts/chart_style.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

namespace sulcus::ui::scene {
namespace {

using Kind = Chart::Kind;

/// Pairs for two runs. Any two of the eight differ by at least 24 (CIE 1976) for normal vision, protanopia
/// and deuteranopia (Machado, Oliveira & Fernandes, IEEE TVCG 15 (2009) 1291); found by simulated annealing
/// among colors that stand out from white and from the dark background.
constexpr Rgb kPairs[4][2] = {{{45, 100, 235}, {202, 166, 92}},
                              {{238, 152, 20}, {60, 180, 240}},
                              {{60, 190, 150}, {198, 32, 8}},
                              {{133, 84, 163}, {103, 103, 100}}};

Rgb colorOf(int name, int run) { return kPairs[name % 4][(run + name / 4) % 2]; }

bool sameData(const Chart::Series& a, const Chart::Series& b) {
  return a.name == b.name && a.kind == b.kind && a.x == b.x && a.y == b.y && a.y2 == b.y2;
}

/// The line that a band belongs to: the next one, else the last one before it.
const Chart::Series& leader(const std::vector<Chart::Series>& all, std::size_t band) {
  for (std::size_t i = band + 1; i < all.size(); ++i)
    if (all[i].kind == Kind::line) return all[i];
  for (std::size_t i = band; i-- > 0;)
    if (all[i].kind == Kind::line) return all[i];
  return all[band];
}

/// The series with whose name a series is colored.
const std::string& nameForColor(const std::vector<Chart::Series>& all, std::size_t i) {
  if (all[i].kind == Kind::band) return leader(all, i).name;
  for (const Chart::Series& points : all)
    if (points.kind == Kind::points && all[i].kind == Kind::line &&
        all[i].name.ends_with(" of " + points.name))
      return points.name;
  return all[i].name;
}

int depth(Kind kind) {
  switch (kind) {
    case Kind::band:
      return 0;
    case Kind::bars:
      return 1;
    case Kind::points:
      return 2;
    case Kind::line:
      return 3;
    case Kind::marks:
      return 4;
  }
  return 0;
}

void widen(double& low, double& high, double share, bool keepLow = false) {
  if (!(low <= high)) {
    low = 0;
    high = 1;
    return;
  }
  double room = (high - low) * share;
  if (high == low) room = low == 0 ? 1 : std::abs(low) * 0.05;
  if (!keepLow || high == low) low -= room;
  high += room;
}

void extend(double& low, double& high, double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void extend(ChartBounds& b, const Chart::Series& series) {
  const double half = series.kind == Kind::bars ? barWidth(series) / 2 : 0;
  for (const double x : series.x) {
    extend(b.xLow, b.xHigh, x - half);
    extend(b.xLow, b.xHigh, x + half);
  }
  if (series.kind == Kind::marks) return;
  for (const double y : series.y) extend(b.yLow, b.yHigh, y);
  if (series.kind == Kind::band)
    for (const double y : series.y2) extend(b.yLow, b.yHigh, y);
  if (series.kind == Kind::bars && !series.x.empty()) extend(b.yLow, b.yHigh, 0);
}

}  // namespace

std::vector<DrawnSeries> drawnSeries(const std::vector<NamedChart>& charts) {
  std::map<std::string, int> names;  // in the order of their first appearance
  const auto number = [&](const std::string& name) {
    return names.emplace(name, int(names.size())).first->second;
  };
  std::vector<DrawnSeries> drawn;
  for (std::size_t run = 0; run < charts.size(); ++run) {
    const auto& all = charts[run].chart.series;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Chart::Series& one = all[i];
      const auto isThis = [&](const Chart::Series& other) { return sameData(one, other); };
      const auto inChart = [&](const NamedChart& chart) {
        return std::any_of(chart.chart.series.begin(), chart.chart.series.end(), isThis);
      };
      const bool common = charts.size() > 1 && std::all_of(charts.begin(), charts.end(), inChart);
      if (common && run > 0) continue;
      DrawnSeries made;
      made.series = one;
      made.label = one.name;
      if (const std::string& name = charts[run].run; !common && !name.empty())
        made.label = one.name.empty() ? name : one.name + " (" + name + ")";
      const int place = number(nameForColor(all, i));
      made.color = colorOf(place, int(run));
      made.shape = place % kShapes;
      made.dashed = run > 0;
      drawn.push_back(std::move(made));
    }
  }
  std::stable_sort(drawn.begin(), drawn.end(), [](const DrawnSeries& a, const DrawnSeries& b) {
    return depth(a.series.kind) < depth(b.series.kind);
  });
  return drawn;
}

std::string titleOf(const std::vector<NamedChart>& charts) {
  std::string title;
  for (const NamedChart& chart : charts) {
    if (&chart == &charts.front()) {
      title = chart.chart.title;
      continue;
    }
    if (chart.chart.title == charts.front().chart.title) continue;
    if (title == charts.front().chart.title && !charts.front().run.empty())
      title = charts.front().run + ": " + title;
    title += "  ·  " + chart.run + ": " + chart.chart.title;
  }
  return title;
}

double barWidth(const Chart::Series& bars) {
  std::vector<double> x = bars.x;
  std::sort(x.begin(), x.end());
  double width = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < x.size(); ++i)
    if (x[i] > x[i - 1]) width = std::min(width, x[i] - x[i - 1]);
  return std::isfinite(width) ? width : 1;
}

ChartBounds boundsOf(const std::vector<DrawnSeries>& series) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  ChartBounds b{inf, -inf, inf, -inf};
  bool pointsOnly = true, bars = false;
  for (const DrawnSeries& drawn : series) {
    const Chart::Series& one = drawn.series;
    extend(b, one);
    pointsOnly = pointsOnly && one.kind == Kind::points;
    bars = bars || (one.kind == Kind::bars && !one.x.empty());
  }
  widen(b.xLow, b.xHigh, pointsOnly ? 0.03 : 0.01);
  widen(b.yLow, b.yHigh, 0.06, bars && b.yLow == 0);
  return b;
}

std::vector<double> niceTicks(double low, double high, int most, double leastStep) {
  if (!(high > low)) return {};
  double step = std::max(leastStep, std::pow(10, std::floor(std::log10((high - low) / most))));
  for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;  // 1, 2, 5, 10, …
  std::vector<double> ticks;
  const double last = std::floor(high / step + 1e-9);
  for (double i = std::ceil(low / step - 1e-9); i <= last; ++i) ticks.push_back(i * step + 0.0);  // never -0
  return ticks;
}

bool isOverWholeNumbers(const std::vector<DrawnSeries>& series) {
  bool any = false;
  for (const DrawnSeries& one : series) {
    if (one.series.kind == Kind::marks) continue;
    any = any || !one.series.x.empty();
    if (!std::ranges::all_of(one.series.x, [](double x) { return x == std::floor(x); })) return false;
  }
  return any;
}

std::string chartNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

}  // namespace sulcus::ui::scene
