#include "core/fibers/response/response_file.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/fibers/response/response.h"
#include "core/image/display/layer_kinds.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace sulcus::fibers {
namespace {

std::string rowsText(const std::vector<std::vector<double>>& rows, std::span<const double> shells,
                     const char* meaning) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << "# Shells: ";
  for (std::size_t i = 0; i < shells.size(); ++i) out << (i ? "," : "") << std::lround(shells[i]);
  out << "\n# " << meaning << '\n' << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) out << row[i] << (i + 1 < row.size() ? " " : "\n");
  return out.str();
}

}  // namespace

std::vector<std::vector<double>> responseRows(const Layer& table) {
  if (!isTable(table))
    throw Error("'" + table.name + "' cannot be used as response", "it holds " + kindWithArticle(table),
                "give the text file of MRtrix, with a row of zonal harmonics for each shell");
  std::vector<std::vector<double>> rows;
  for (const auto& cells : std::get<TableLayer>(table.content).rows) {
    auto& row = rows.emplace_back();
    for (const auto& cell : cells) {
      const auto number = numberIn(cell);
      if (!number || !std::isfinite(*number))
        throw Error("'" + cell + "' in '" + table.name + "' is not a number",
                    "a response has a row of zonal harmonics for each shell", "give such a text file");
      row.push_back(*number);
    }
  }
  return rows;
}

std::vector<double> responseOfShell(std::span<const std::vector<double>> rows, int shells, int shell,
                                    double unweightedSignal, int order) {
  const int count = int(rows.size());
  if (count != 1 && count != shells && count != shells + 1)
    throw Error(text("The response has ", count, " rows, the scan has ", shells,
                     shells == 1 ? " shell" : " shells", " besides b = 0"),
                "it is not clear which row is that of the shell to deconvolve",
                "give the row of that shell alone, or one row for each shell");
  const bool hasUnweighted = count == shells + 1;
  std::vector<double> response = rows[count == 1 ? 0 : std::size_t(shell) + hasUnweighted];
  double unit = 1;
  if (hasUnweighted)
    unit = rows.front().front() / kUnitHarmonic;
  else if (response.front() > kUnitHarmonic)
    unit = unweightedSignal;
  response.resize(std::size_t(order) / 2 + 1);
  for (double& r : response) r /= unit;
  checkResponse(response, "The given response");
  return response;
}

std::string responseText(std::span<const double> zonal, double b) {
  return rowsText({{zonal.begin(), zonal.end()}}, std::span(&b, 1),
                  "Signal over that at b = 0 of a single fiber, zonal harmonics");
}

std::string tissueResponseText(std::span<const std::vector<double>> rows, std::span<const double> shells) {
  return rowsText({rows.begin(), rows.end()}, shells,
                  "Signal of a tissue in the unit of the scan, zonal harmonics");
}

}  // namespace sulcus::fibers
