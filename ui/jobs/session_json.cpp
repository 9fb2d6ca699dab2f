#include "ui/jobs/session_json.h"

#include "core/base/sanitized.h"
#include "core/image/tracts/tract_regions.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace sulcus::ui::jobs {
Json toJson(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }

void read(const Json& json, Vec3<double>& v) {
  v = {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json toJson(const Range& range) { return Json::array({range.low, range.high}); }

void read(const Json& json, Range& range) { range = {json.at(0).get<double>(), json.at(1).get<double>()}; }

Json toJson(const SliceTurn& turn) {
  return Json::array({toJson(turn.axes[0]), toJson(turn.axes[1]), toJson(turn.axes[2])});
}

void read(const Json& json, SliceTurn& turn) {
  for (std::size_t i = 0; i < 3; ++i) read(json.at(i), turn.axes[i]);
  turn = soundTurn(turn);
}

const Json& listIn(const Json& json) {
  if (!json.is_array()) throw std::out_of_range("a list is missing");
  return json;
}

void read(const Json& json, std::vector<double>& numbers) {
  numbers.clear();
  for (const Json& number : listIn(json))
    numbers.push_back(number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>());
}

Json toJson(const LabelTable& names) {
  Json json = Json::array();
  for (const auto& [label, entry] : names) {
    json.push_back({label, entry.name});
    if (entry.color) json.back().push_back(*entry.color);
  }
  return json;
}

LabelTable labelNamesFrom(const Json& json) {
  LabelTable names;
  for (const Json& row : json) {
    LabelEntry& entry = names[row.at(0).get<Label>()];
    entry.name = row.at(1).get<std::string>();
    if (row.size() > 2) entry.color = row[2].get<std::array<std::uint8_t, 3>>();
  }
  return names;
}

Display displayFrom(const Json& json) {
  Display display;
  // Older sessions have only the octant.
  display.cut = json.value("CutOpen", true) ? Cut::octant : Cut::nothing;
  read(json, display);
  return display;
}

Json toJson(const OptionValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values)
    std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  return json;
}

void read(const Json& json, OptionValues& values) { values = io::optionsFromJson(io::jsonText(json)); }

OptionValues optionsFrom(const Json& json, const Analysis& analysis) {
  OptionValues values;
  const auto given = readAs<OptionValues>(json);
  for (const OptionInfo& option : analysis.options) {
    values[option.name] = option.defaultValue;
    const auto found = findOption(given, option);
    if (found == given.end()) continue;
    try {
      values[option.name] = checkedOption(option, found->second);
    } catch (const Error&) {  // written by another version, which allowed more
    }
  }
  if (const auto seed = given.find("seed"); seed != given.end()) values.emplace("seed", seed->second);
  return values;
}

Json toJson(const Grid& grid) {
  Json json = Json::object();
  json["Size"] = {grid.size.x, grid.size.y, grid.size.z};
  Json rows = Json::array();
  for (const auto& row : grid.worldFromVoxel.m) rows.push_back(Json(row));
  json["WorldFromVoxel"] = rows;
  json["Origin"] = toJson(grid.worldFromVoxel.t);
  json["Space"] = int(grid.space);
  return json;
}

void read(const Json& json, Grid& grid) {
  const Json& size = json.at("Size");
  grid.size = {size.at(0).get<int>(), size.at(1).get<int>(), size.at(2).get<int>()};
  const Json& rows = json.at("WorldFromVoxel");
  for (std::size_t i = 0; i < grid.worldFromVoxel.m.size(); ++i)
    for (std::size_t j = 0; j < grid.worldFromVoxel.m[i].size(); ++j)
      grid.worldFromVoxel.m[i][j] = rows.at(i).at(j).get<double>();
  read(json.at("Origin"), grid.worldFromVoxel.t);
  grid.space = Space(std::clamp(json.at("Space").get<int>(), 1, 5));
}

Chart chartFrom(const Json& json) {
  auto chart = readAs<Chart>(json);
  for (const Chart::Series& series : chart.series) {
    const bool marks = series.kind == Chart::Kind::marks, band = series.kind == Chart::Kind::band;
    if ((!marks && series.y.size() != series.x.size()) || (band && series.y2.size() != series.x.size()))
      throw std::out_of_range("a curve has more x values than y values");
  }
  if (chart.matrix)
    for (const std::vector<double>& row : chart.matrix->rows)
      if (row.size() != chart.matrix->columns.size())
        throw std::out_of_range("a row has more cells than columns");
  return chart;
}

Json toJson(const std::vector<Bundle>& bundles, const NumberOfLabels& numberOf) {
  Json json = Json::array();
  for (const Bundle& bundle : bundles) {
    Json one{{"Name", bundle.name}, {"Color", bundle.color}, {"Visible", bundle.visible}};
    one["Regions"] = Json::array();
    for (const TractRegion& region : bundle.regions) {
      const int image = region.body ? numberOf(*region.body->labels) : 0;
      if (region.body && image >= 0)
        one["Regions"].push_back(
            {{"Role", int(region.role)}, {"Label", region.body->label}, {"Image", image}});
      else if (!region.body)
        one["Regions"].push_back({{"Role", int(region.role)}, {"Region", textOf(region)}});
    }
    json.push_back(std::move(one));
  }
  return json;
}

std::vector<Bundle> bundlesFrom(const Json& json, const Tracts& tracts, const LabelsOfNumber& labelsOf) {
  constexpr std::size_t kMostBundles = 1000, kMostRegions = 100;
  std::vector<Bundle> bundles;
  for (const Json& one : json) {
    if (bundles.size() >= kMostBundles) throw std::out_of_range("it has too many bundles");
    Bundle bundle;
    bundle.name = sanitizedForDisplay(one.at("Name").get<std::string>(), 100);
    bundle.color = std::clamp(one.at("Color").get<int>(), 0, 100);
    bundle.visible = one.at("Visible").get<bool>();
    for (const Json& region : one.at("Regions")) {
      const int role = region.at("Role").get<int>();
      if (role < 0 || role > 2 || bundle.regions.size() >= kMostRegions)
        throw std::out_of_range("a bundle has regions of another kind");
      if (!region.contains("Label"))
        bundle.regions.push_back(regionFrom(region.at("Region").get<std::string>(), TractRegion::Role(role)));
      else if (auto labels = labelsOf(region.at("Image").get<int>()))
        bundle.regions.push_back(
            labelRegion(std::move(labels), region["Label"].get<Label>(), TractRegion::Role(role)));
    }
    bundle.lines = linesChosen(tracts, bundle.regions);
    bundles.push_back(std::move(bundle));
  }
  return bundles;
}

Json toJson(const Notes& notes) {
  Json list = Json::array();
  for (const Note& note : notes)
    if (note.remedy.empty() && note.subject == Subject::other)
      list.push_back(note.line());
    else
      list.push_back({{"Warning", note.isWarning()},
                      {"Text", note.text.line()},
                      {"Remedy", note.remedy.line()},
                      {"Option", note.option},
                      {"Subject", nameOf(note.subject)}});
  return list;
}

void read(const Json& json, Notes& notes) {
  notes.clear();
  for (const Json& one : listIn(json)) {
    if (one.is_string()) {
      notes.push_back(Note::from(one.get<std::string>()));
      continue;
    }
    Note note(Message::from(one.at("Text").get<std::string>()), one.at("Option").get<std::string>());
    note.remedy = Message::from(one.at("Remedy").get<std::string>());
    if (one.at("Warning").get<bool>()) note.severity = Severity::warning;
    note.subject = subjectNamed(one.value("Subject", ""));
    notes.push_back(std::move(note));
  }
}

void readResult(RunResult& result, const Json& json, bool adjusted) {
  read(json, result);
  if (adjusted) std::erase_if(result.files, [](const ResultFile& file) { return file.adjustable; });
  for (const Json& one : json.at("Plots")) {
    Plot plot;
    plot.name = one.at("Name").get<std::string>();
    if (one.contains("Chart")) {
      plot.make = [chart = chartFrom(one["Chart"])](const Vec3<double>&) { return chart; };
    } else {
      plot.followsCrosshair = one.at("FollowsCrosshair").get<bool>();
      plot.make = [](const Vec3<double>&) {
        Chart chart;
        chart.title = "Run again to see the plots at the crosshair";
        return chart;
      };
    }
    result.plots.push_back(std::move(plot));
  }
}

}  // namespace sulcus::ui::jobs
