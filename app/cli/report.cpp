#include "app/cli/report.h"

#include "app/cli/wrap.h"
#include "core/base/figure.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sulcus::app::cli {
namespace {

using nlohmann::ordered_json;

std::string percent(double share) {
  // Rounded down, so that 100 % means all.
  char text[32];
  std::snprintf(text, sizeof text, "%.2f %%", std::floor(share * 1e4 + 1e-6) / 100);
  return text;
}

double secondsOf(const RunResult& result, const std::string& stage) {
  for (const auto& time : result.stages)
    if (time.name == stage) return time.seconds;
  return NAN;
}

std::string seconds(double value) { return std::isnan(value) ? "—" : shortNumber(value) + " s"; }

std::vector<std::string> timeRow(const std::string& name, double cpu, double gpu) {
  return {name, seconds(cpu), seconds(gpu), cpu > 0 && gpu > 0 ? shortNumber(cpu / gpu) + "×" : "—"};
}

std::string throughput(const RunResult& result) {
  return result.seconds > 0 ? shortNumber(result.items / result.seconds) : "—";
}

}  // namespace

std::string shortNumber(double value) {
  constexpr double kFourDigits = 9999.5,
                   kLargest = 1e15;  // between them as a whole number: it may be a count
  if (const double size = std::abs(value); size >= kFourDigits && size < kLargest) return fixedText(value, 0);
  return significantText(value, 4);
}

std::string markdownTable(const std::vector<std::string>& head,
                          const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths;
  for (std::size_t column = 0; column < head.size(); ++column) {
    int width = std::max(3, displayWidth(head[column]));
    for (const auto& row : rows) width = std::max(width, displayWidth(row.at(column)));
    widths.push_back(width);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (std::size_t column = 0; column < cells.size(); ++column)
      text += " " + cells[column] +
              std::string(std::size_t(widths[column] - displayWidth(cells[column])), ' ') + " |";
    return text + "\n";
  };
  std::string rule = "|";
  for (const int width : widths) rule += std::string(std::size_t(width) + 2, '-') + "|";
  std::string table = line(head) + rule + "\n";
  for (const auto& row : rows) table += line(row);
  return table;
}

std::string agreementTable(const std::vector<AgreementRow>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) {
    const std::string unit = row.unit.empty() ? "" : " " + row.unit;
    const bool isWorker = std::isnan(row.mean) && row.tolerance == 0;
    const auto cell = [&](double value) { return std::isnan(value) ? "—" : shortNumber(value) + unit; };
    const std::string limit = isWorker ? "" : " ≤ " + shortNumber(row.tolerance) + unit;
    cells.push_back({row.quantity, cell(row.mean), cell(row.percentile95), cell(row.maximum),
                     percent(row.shareWithin) + limit, percent(row.shareNeeded), shortNumber(row.compared),
                     row.agrees() ? "agrees" : "differs"});
  }
  return markdownTable({"difference", "mean", "95 %", "largest", "within", "needed", "compared", "verdict"},
                       cells);
}

std::string timeTable(const RunResult& cpu, const RunResult& gpu) {
  std::vector<std::string> names;
  for (const auto* result : {&cpu, &gpu})
    for (const auto& stage : result->stages)
      if (std::find(names.begin(), names.end(), stage.name) == names.end()) names.push_back(stage.name);
  std::vector<std::vector<std::string>> rows;
  for (const auto& name : names) rows.push_back(timeRow(name, secondsOf(cpu, name), secondsOf(gpu, name)));
  rows.push_back(timeRow("all", cpu.seconds, gpu.seconds));
  rows.push_back(timeRow("waited", cpu.waited, gpu.waited));
  rows.push_back(timeRow("of it for the GPU", NAN, gpu.gpu.waited));
  rows.push_back(timeRow("of that for copies", NAN, gpu.gpu.copies));
  rows.push_back({cpu.itemName + "/s", throughput(cpu), throughput(gpu), ""});
  return markdownTable({"time", "CPU", "GPU", "speed-up"}, rows);
}

ordered_json toJson(const std::vector<AgreementRow>& rows) {
  auto list = ordered_json::array();
  for (const auto& row : rows)
    list.push_back({{"quantity", row.quantity},
                    {"unit", row.unit},
                    {"mean", row.mean},
                    {"percentile95", row.percentile95},
                    {"largest", row.maximum},
                    {"tolerance", row.tolerance},
                    {"shareWithin", row.shareWithin},
                    {"shareNeeded", row.shareNeeded},
                    {"compared", row.compared},
                    {"agrees", row.agrees()}});
  return list;
}

ordered_json toJson(const Comparison& comparison) {
  ordered_json json{{"agrees", comparison.agrees()}, {"differences", toJson(comparison.rows)}};
  json["worst"] = ordered_json::array();
  for (const auto& worst : comparison.worst)
    json["worst"].push_back(
        {{"voxel", {worst.voxel.x, worst.voxel.y, worst.voxel.z}}, {"difference", worst.difference}});
  return json;
}

ordered_json toJson(const RunResult& result) {
  ordered_json stages = ordered_json::object();
  for (const auto& stage : result.stages) stages[stage.name] = stage.seconds;
  return {{"backend", result.provenance.backend},
          {"device", result.provenance.device},
          {result.itemName, result.items},
          {"seconds", result.seconds},
          {"stages", stages},
          {"waited", result.waited},
          {"gpu", {{"waited", result.gpu.waited}, {"copies", result.gpu.copies}}},
          {"notes", result.notes},
          {"warnings", warningsIn(result.notes)}};
}

}  // namespace sulcus::app::cli
