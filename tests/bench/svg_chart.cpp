#include "tests/bench/svg_chart.h"

#include "tests/bench/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

namespace sulcus::bench {
namespace {

constexpr double kLeft = 76, kTop = 34, kWide = 520, kHigh = 330, kLegend = 250, kBelow = 56;

/// Distinguishable with color vision deficiency; further lines repeat the colors and are dashed.
constexpr std::array<const char*, 8> kColors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#7a5195", "#c08a00", "#56b4e9", "#555555"};

std::string escapedForSvg(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
  return result;
}

/// The largest 1, 2 or 5 times a power of ten that is not above a positive number.
double roundBelow(double value) {
  const double power = std::pow(10, std::floor(std::log10(value) + 1e-9)), share = value / power + 1e-9;
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}

/// An axis from `from` to `to`, as logarithms to base 10 if it is logarithmic.
struct DrawnAxis {
  bool logarithmic;
  double from, to;

  double place(double value) const {
    return ((logarithmic ? std::log10(std::max(value, 1e-300)) : value) - from) / (to - from);
  }
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }
};

DrawnAxis drawnAxis(const ChartAxis& axis, const std::vector<double>& values) {
  DrawnAxis drawn{axis.logarithmic, 1e300, -1e300};
  for (const double value : values) {
    if (!drawn.shows(value)) continue;
    const double at = axis.logarithmic ? std::log10(value) : value;
    drawn.from = std::min(drawn.from, at), drawn.to = std::max(drawn.to, at);
  }
  if (drawn.from > drawn.to) drawn.from = 0, drawn.to = 1;
  if (axis.logarithmic)
    drawn.from = std::log10(roundBelow(std::pow(10, drawn.from))),
    drawn.to = -std::log10(roundBelow(std::pow(10, -drawn.to)));
  const double margin = axis.logarithmic ? 0 : 0.04 * (drawn.to - drawn.from);
  drawn.from -= margin, drawn.to += margin;
  if (axis.from) drawn.from = axis.logarithmic ? std::log10(*axis.from) : *axis.from;
  if (axis.to) drawn.to = axis.logarithmic ? std::log10(*axis.to) : *axis.to;
  if (drawn.to <= drawn.from) drawn.to = drawn.from + 1;
  return drawn;
}

/// Grid lines of an axis: powers of ten, also 2 and 5 times these on a short axis, or about six round
/// numbers.
std::vector<double> ticksOf(const DrawnAxis& axis) {
  std::vector<double> ticks;
  if (axis.logarithmic) {
    const bool isShort = axis.to - axis.from <= 2;
    for (double e = std::floor(axis.from); e <= axis.to + 1e-9; ++e)
      for (const int times : {1, 2, 5})
        if (const double at = e + std::log10(times);
            (times == 1 || isShort) && at >= axis.from - 1e-9 && at <= axis.to + 1e-9)
          ticks.push_back(times * std::pow(10, e));
    return ticks;
  }
  double step = std::pow(10, std::floor(std::log10((axis.to - axis.from) / 4)));
  while ((axis.to - axis.from) / step > 8) step *= (axis.to - axis.from) / step > 16 ? 5 : 2;
  for (double i = std::ceil(axis.from / step - 1e-9); i * step <= axis.to + 1e-9 * step; ++i)
    ticks.push_back(i * step);
  return ticks;
}

std::string tickText(double value, bool logarithmic) {
  const double e = logarithmic ? std::floor(std::log10(value) + 1e-9) : 0, times = value / std::pow(10, e);
  if (std::abs(e) > 3)
    return (times < 1.5 ? "" : format("%.0f·", times)) +
           format("10<tspan dy=\"-5\" font-size=\"9\">%.0f</tspan>", e);
  return format("%.6g", std::abs(value) < 1e-12 ? 0.0 : value);
}

class SvgDrawing {
 public:
  SvgDrawing(const Chart& chart, const ChartAxis& x, const ChartAxis& y) : chart_(chart) {
    std::vector<double> xs, ys;
    for (const auto& series : chart.series) {
      xs.insert(xs.end(), series.x.begin(), series.x.end());
      ys.insert(ys.end(), series.y.begin(), series.y.end());
      ys.insert(ys.end(), series.y2.begin(), series.y2.end());
      if (series.kind == Chart::Kind::bars) ys.push_back(0);
    }
    x_ = drawnAxis(x, xs), y_ = drawnAxis(y, ys);
  }

  std::string text() {
    const double width = kLeft + kWide + kLegend, height = kTop + kHigh + kBelow;
    svg_ = format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
        "font-family=\"system-ui,sans-serif\" font-size=\"12\">\n<rect width=\"%g\" height=\"%g\" "
        "fill=\"white\"/>\n",
        width, height, width, height, width, height);
    drawAxes();
    std::size_t color = 0;
    for (const auto& series : chart_.series) drawSeries(series, color++);
    return svg_ + "</svg>\n";
  }

 private:
  double across(double value) const { return kLeft + kWide * std::clamp(x_.place(value), -0.02, 1.02); }
  double down(double value) const { return kTop + kHigh * (1 - std::clamp(y_.place(value), -0.02, 1.02)); }

  void drawAxes() {
    for (const double tick : ticksOf(x_))
      svg_ += format("<path d=\"M%.1f %gv%g\" stroke=\"#e4e4e4\"/>", across(tick), kTop, kHigh) +
              format("<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\" fill=\"#555\">", across(tick),
                     kTop + kHigh + 18) +
              tickText(tick, x_.logarithmic) + "</text>\n";
    for (const double tick : ticksOf(y_))
      svg_ +=
          format("<path d=\"M%g %.1fh%g\" stroke=\"#e4e4e4\"/>", kLeft, down(tick), kWide) +
          format("<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555\">", kLeft - 8, down(tick) + 4) +
          tickText(tick, y_.logarithmic) + "</text>\n";
    svg_ += format("<path d=\"M%g %gv%gh%g\" stroke=\"#888\" fill=\"none\"/>\n", kLeft, kTop, kHigh, kWide);
    svg_ += format("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">", kLeft + kWide / 2, kTop + kHigh + 42) +
            escapedForSvg(chart_.xLabel) + "</text>\n";
    svg_ += format("<text x=\"%g\" y=\"20\">", kLeft - 60) + escapedForSvg(chart_.yLabel) + "</text>\n";
    if (!chart_.title.empty())
      svg_ += format("<text x=\"%g\" y=\"20\" text-anchor=\"end\" font-weight=\"600\">", kLeft + kWide) +
              escapedForSvg(chart_.title) + "</text>\n";
  }

  bool shows(const Chart::Series& series, std::size_t i) const {
    return x_.shows(series.x[i]) && y_.shows(series.y[i]);
  }

  void drawSeries(const Chart::Series& series, std::size_t n) {
    const char* const color = kColors[n % kColors.size()];
    const char* const dashes = n < kColors.size() ? "" : " stroke-dasharray=\"4 3\"";
    switch (series.kind) {
      case Chart::Kind::line:
        drawLine(series, color, dashes);
        break;
      case Chart::Kind::points: {
        const bool few = series.x.size() <= 40;
        for (std::size_t i = 0; i < series.x.size(); ++i)
          if (shows(series, i))
            svg_ += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\" fill=\"%s\" fill-opacity=\"%g\"/>",
                           across(series.x[i]), down(series.y[i]), few ? 4.5 : 2.2, color, few ? 1 : 0.55);
        break;
      }
      case Chart::Kind::band:
        drawBand(series, color);
        break;
      case Chart::Kind::bars:
        drawBars(series, color);
        break;
      case Chart::Kind::marks:
        for (const double x : series.x)
          svg_ +=
              format("<path d=\"M%.1f %gv%g\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\"/>",
                     across(x), kTop, kHigh, color);
    }
    const double y = kTop + 12 + 20 * double(n);
    svg_ += format("\n<path d=\"M%g %gh14\" stroke-width=\"%d\" stroke=\"%s\"%s/>", kLeft + kWide + 13, y - 4,
                   n < kColors.size() ? 8 : 3, color, dashes) +
            format("<text x=\"%g\" y=\"%g\" fill=\"#222\">", kLeft + kWide + 32, y) +
            escapedForSvg(series.name) + "</text>\n";
  }

  void drawLine(const Chart::Series& series, const char* color, const char* dashes) {
    std::string points, dots;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!shows(series, i)) continue;
      points += format("%.1f,%.1f ", across(series.x[i]), down(series.y[i]));
      if (series.x.size() <= 40)
        dots += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", across(series.x[i]),
                       down(series.y[i]), color);
    }
    svg_ += format("<polyline fill=\"none\" stroke-width=\"%s\" stroke=\"%s\"%s points=\"",
                   series.x.size() > 300 ? "0.8" : "2", color, dashes) +
            points + "\"/>" + dots;
  }

  void drawBand(const Chart::Series& series, const char* color) {
    std::string points;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      points += format("%.1f,%.1f ", across(series.x[i]), down(series.y[i]));
    for (std::size_t i = series.x.size(); i-- > 0;)
      points += format("%.1f,%.1f ", across(series.x[i]), down(series.y2[i]));
    svg_ += format("<polygon fill=\"%s\" fill-opacity=\".2\" points=\"", color) + points + "\"/>";
  }

  void drawBars(const Chart::Series& series, const char* color) {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const double step = series.x.size() < 2 ? 1 : series.x[1] - series.x[0];
      const double left = across(series.x[i] - step / 2), right = across(series.x[i] + step / 2);
      svg_ += format(
          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" fill-opacity=\".45\"/>",
          left, down(series.y[i]), std::max(0.5, right - left), down(0) - down(series.y[i]), color);
    }
  }

  const Chart& chart_;
  DrawnAxis x_{}, y_{};
  std::string svg_;
};

}  // namespace

std::string svgOf(const Chart& chart, const ChartAxis& x, const ChartAxis& y) {
  return SvgDrawing(chart, x, y).text();
}

Chart chartOf(const std::map<std::string, ChartLine>& lines, std::string xLabel, std::string yLabel) {
  Chart chart{"", std::move(xLabel), std::move(yLabel), {}, {}};
  for (const auto& [name, points] : lines) {
    Chart::Series series{name, Chart::Kind::line, {}, {}, {}};
    for (const auto& [x, y] : points) series.x.push_back(x), series.y.push_back(y);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void writeLogChart(const std::string& path, const std::map<std::string, ChartLine>& lines, std::string xLabel,
                   std::string yLabel) {
  std::ofstream(path) << svgOf(chartOf(lines, std::move(xLabel), std::move(yLabel)), kLogAxis, kLogAxis);
}

}  // namespace sulcus::bench
