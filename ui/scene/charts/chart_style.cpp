#include "ui/scene/charts/chart_style.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

namespace sulcus::ui::scene {
namespace {

using Kind = Chart::Kind;

/// Okabe and Ito's colors in pairs for two runs; the last pair is gray and a yellow that is visible on white.
constexpr Rgb kPairs[4][2] = {{{0, 114, 178}, {230, 130, 0}},
                              {{0, 148, 106}, {204, 90, 160}},
                              {{213, 94, 0}, {70, 160, 225}},
                              {{128, 128, 128}, {190, 170, 40}}};

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
      made.color = colorOf(number(one.kind == Kind::band ? leader(all, i).name : one.name), int(run));
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
  const auto extend = [](double& low, double& high, double value) {
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  };
  for (const auto& [one, label, color, dashed] : series) {
    const double half = one.kind == Kind::bars ? barWidth(one) / 2 : 0;
    for (const double x : one.x) extend(b.xLow, b.xHigh, x - half), extend(b.xLow, b.xHigh, x + half);
    pointsOnly = pointsOnly && one.kind == Kind::points;
    if (one.kind == Kind::marks) continue;
    for (const double y : one.y) extend(b.yLow, b.yHigh, y);
    if (one.kind == Kind::band)
      for (const double y : one.y2) extend(b.yLow, b.yHigh, y);
    if (one.kind == Kind::bars && !one.x.empty()) bars = true, extend(b.yLow, b.yHigh, 0);
  }
  widen(b.xLow, b.xHigh, pointsOnly ? 0.03 : 0.01);
  widen(b.yLow, b.yHigh, 0.06, bars && b.yLow == 0);
  return b;
}

std::vector<double> wholeTicks(double low, double high, int most) {
  double step = 1;
  for (int i = 0; (high - low) / step > most; ++i) step *= i % 3 == 1 ? 2.5 : 2;  // 1, 2, 5, 10, …
  std::vector<double> ticks;
  for (double at = std::ceil(low / step) * step; at <= high && int(ticks.size()) <= most; at += step)
    ticks.push_back(at + 0.0);  // never -0
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
