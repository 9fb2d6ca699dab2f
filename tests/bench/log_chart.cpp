#include "tests/bench/log_chart.h"

#include "tests/bench/format.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace sulcus::bench {

void writeLogChart(const std::string& path, const std::map<std::string, ChartLine>& lines, const LogAxis& x,
                   const LogAxis& y) {
  constexpr double left = 70, top = 30, width = 520, height = 380;
  const auto across = [&](double v) { return left + width * (std::log10(v) - x.from) / (x.to - x.from); };
  const auto down = [&](double v) {
    return top + height * (y.to - std::max(std::log10(v), double(y.from))) / (y.to - y.from);
  };
  std::ofstream svg(path);
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"980\" height=\"470\" font-family=\"sans-serif\" "
         "font-size=\"12\">\n<rect width=\"980\" height=\"470\" fill=\"white\"/>\n";
  for (int e = x.from; e <= x.to; ++e)
    svg << format(
        "<path d=\"M%g %gv%g\" stroke=\"#ddd\"/><text x=\"%g\" y=\"%g\" "
        "text-anchor=\"middle\">10^%d</text>\n",
        across(std::pow(10, e)), top, height, across(std::pow(10, e)), top + height + 18, e);
  for (int e = y.from; e <= y.to; ++e)
    svg << format(
        "<path d=\"M%g %gh%g\" stroke=\"#ddd\"/><text x=\"%g\" y=\"%g\" text-anchor=\"end\">10^%d</text>\n",
        left, down(std::pow(10, e)), width, left - 6, down(std::pow(10, e)) + 4, e);
  svg << format("<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", left + width / 2,
                top + height + 42, x.title.c_str())
      << format("<text x=\"%g\" y=\"18\">%s</text>\n", left, y.title.c_str());
  int n = 0;
  for (const auto& [name, points] : lines) {
    const std::string color = format("hsl(%d,65%%,42%%)", n * 360 / int(lines.size()));
    svg << "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"" << color << "\" points=\"";
    for (const auto& [px, py] : points) svg << format("%g,%g ", across(px), down(py));
    svg << "\"/>\n";
    svg << format("<text x=\"%g\" y=\"%g\" fill=\"%s\">%s</text>\n", left + width + 14, top + 14 + 20.0 * n,
                  color.c_str(), name.c_str());
    ++n;
  }
  svg << "</svg>\n";
}

}  // namespace sulcus::bench
