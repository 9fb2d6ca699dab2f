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
namespace {

constexpr std::array kCuts{"nothing", "octant", "axial", "coronal", "sagittal", "facing"};
constexpr std::array kSeriesKinds{"line", "points", "band", "bars", "marks"};

/// JSON has no NaN: it is written as null.
double numberFrom(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<double> numbersFrom(const Json& json) {
  std::vector<double> numbers;
  for (const Json& number : json) numbers.push_back(numberFrom(number));
  return numbers;
}

std::optional<double> limitFrom(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json toJson(const std::optional<double>& limit) { return limit ? Json(*limit) : Json(); }

}  // namespace

Json toJson(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }

Vec3<double> vecFrom(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
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

Json toJson(const Display& display) {
  Json json = Json::object();
  json["Visible"] = display.visible;
  json["Opacity"] = display.opacity;
  json["Colors"] = display.colormap;
  json["NegativeColors"] = display.negativeColormap;
  json["Range"] = display.range ? Json::array({display.range->low, display.range->high}) : Json();
  json["HideBelow"] = toJson(display.hideBelow);
  json["HideAbove"] = toJson(display.hideAbove);
  json["Fade"] = display.fade;
  json["Interpolate"] = display.interpolate;
  json["ColorBar"] = display.colorBar;
  json["Outline"] = display.outline;
  json["Rendered"] = display.rendered;
  json["Cut"] = kCuts[std::size_t(display.cut)];
  return json;
}

Display displayFrom(const Json& json) {
  Display display;
  display.visible = json.at("Visible").get<bool>();
  display.opacity = std::clamp(json.at("Opacity").get<double>(), 0.0, 1.0);
  display.colormap = json.at("Colors").get<std::string>();
  display.negativeColormap = json.value("NegativeColors", "");
  if (const Json& range = json.at("Range"); !range.is_null())
    display.range = Range{range.at(0).get<double>(), range.at(1).get<double>()};
  display.hideBelow = limitFrom(json.at("HideBelow"));
  display.hideAbove = limitFrom(json.at("HideAbove"));
  display.fade = json.value("Fade", false);
  display.interpolate = json.at("Interpolate").get<bool>();
  display.colorBar = json.at("ColorBar").get<bool>();
  display.outline = json.value("Outline", false);
  display.rendered = json.value("Rendered", false);
  // Older sessions have only the octant.
  display.cut = json.value("CutOpen", true) ? Cut::octant : Cut::nothing;
  if (json.contains("Cut")) display.cut = named<Cut>(json["Cut"], kCuts);
  return display;
}

Json toJson(const Reinterpretation& reinterpretation) {
  Json json{{"How", reinterpretation.how}};
  if (reinterpretation.moving) json["Moving"] = toJson(*reinterpretation.moving);
  return json;
}

Reinterpretation reinterpretationFrom(const Json& json) {
  Reinterpretation reinterpretation{json.at("How").get<std::string>()};
  if (json.contains("Moving")) reinterpretation.moving = gridFrom(json["Moving"]);
  return reinterpretation;
}

Json toJson(const OptionValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values)
    std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  return json;
}

OptionValues optionsFrom(const Json& json, const Analysis& analysis) {
  OptionValues values;
  const OptionValues given = io::optionsFromJson(io::jsonText(json));
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

Grid gridFrom(const Json& json) {
  Grid grid;
  const Json& size = json.at("Size");
  grid.size = {size.at(0).get<int>(), size.at(1).get<int>(), size.at(2).get<int>()};
  const Json& rows = json.at("WorldFromVoxel");
  for (std::size_t i = 0; i < grid.worldFromVoxel.m.size(); ++i)
    for (std::size_t j = 0; j < grid.worldFromVoxel.m[i].size(); ++j)
      grid.worldFromVoxel.m[i][j] = rows.at(i).at(j).get<double>();
  grid.worldFromVoxel.t = vecFrom(json.at("Origin"));
  grid.space = Space(std::clamp(json.at("Space").get<int>(), 1, 5));
  return grid;
}

Json toJson(const Chart& chart) {
  Json json{{"Title", chart.title}, {"X", chart.xLabel}, {"Y", chart.yLabel}};
  Json& all = json["Series"] = Json::array();
  for (const Chart::Series& one : chart.series)
    all.push_back({{"Name", one.name},
                   {"Kind", kSeriesKinds[std::size_t(one.kind)]},
                   {"X", one.x},
                   {"Y", one.y},
                   {"Y2", one.y2}});
  if (chart.matrix) json["Matrix"] = {{"Columns", chart.matrix->columns}, {"Rows", chart.matrix->rows}};
  return json;
}

Chart chartFrom(const Json& json) {
  Chart chart;
  chart.title = json.at("Title").get<std::string>();
  chart.xLabel = json.at("X").get<std::string>();
  chart.yLabel = json.at("Y").get<std::string>();
  for (const Json& one : json.at("Series")) {
    Chart::Series series;
    series.name = one.at("Name").get<std::string>();
    series.kind = named<Chart::Kind>(one.at("Kind"), kSeriesKinds);
    series.x = numbersFrom(one.at("X"));
    series.y = numbersFrom(one.at("Y"));
    series.y2 = numbersFrom(one.at("Y2"));
    const bool marks = series.kind == Chart::Kind::marks, band = series.kind == Chart::Kind::band;
    if ((!marks && series.y.size() != series.x.size()) || (band && series.y2.size() != series.x.size()))
      throw std::out_of_range("a curve has more x values than y values");
    chart.series.push_back(std::move(series));
  }
  if (const auto matrix = json.find("Matrix"); matrix != json.end()) {
    chart.matrix.emplace();
    chart.matrix->columns = matrix->at("Columns").get<std::vector<std::string>>();
    for (const Json& row : matrix->at("Rows")) {
      chart.matrix->rows.push_back(numbersFrom(row));
      if (chart.matrix->rows.back().size() != chart.matrix->columns.size())
        throw std::out_of_range("a row has more cells than columns");
    }
  }
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

Json toJson(const std::vector<AgreementRow>& rows) {
  Json json = Json::array();
  for (const AgreementRow& row : rows)
    json.push_back({{"Quantity", row.quantity},
                    {"Unit", row.unit},
                    {"Maximum", row.maximum},
                    {"Mean", row.mean},
                    {"Percentile95", row.percentile95},
                    {"ShareWithin", row.shareWithin},
                    {"Tolerance", row.tolerance},
                    {"ShareNeeded", row.shareNeeded},
                    {"Compared", row.compared},
                    {"Median", row.median}});
  return json;
}

std::vector<AgreementRow> rowsFrom(const Json& json) {
  std::vector<AgreementRow> rows;
  for (const Json& row : json) {
    AgreementRow made;
    made.quantity = row.at("Quantity").get<std::string>();
    made.unit = row.at("Unit").get<std::string>();
    made.maximum = numberFrom(row.at("Maximum"));
    made.mean = numberFrom(row.at("Mean"));
    made.percentile95 = numberFrom(row.at("Percentile95"));
    made.shareWithin = numberFrom(row.at("ShareWithin"));
    made.tolerance = numberFrom(row.at("Tolerance"));
    made.shareNeeded = numberFrom(row.at("ShareNeeded"));
    made.compared = numberFrom(row.at("Compared"));
    made.median = numberFrom(row.at("Median"));
    rows.push_back(std::move(made));
  }
  return rows;
}

Json toJson(const Notes& notes) {
  Json list = Json::array();
  for (const Note& note : notes)
    if (note.remedy.empty())
      list.push_back(note.line());
    else
      list.push_back({{"Warning", note.isWarning()},
                      {"Text", note.text},
                      {"Remedy", note.remedy},
                      {"Option", note.option}});
  return list;
}

Notes notesFrom(const Json& json) {
  Notes notes;
  for (const Json& one : json) {
    if (one.is_string()) {
      notes.push_back(Note::from(one.get<std::string>()));
      continue;
    }
    Note note(one.at("Text").get<std::string>(), one.at("Option").get<std::string>());
    note.remedy = one.at("Remedy").get<std::string>();
    if (one.at("Warning").get<bool>()) note.severity = Severity::warning;
    notes.push_back(std::move(note));
  }
  return notes;
}

Json toJson(const std::vector<StageTime>& stages) {
  Json json = Json::array();
  for (const StageTime& stage : stages) json.push_back({{"Name", stage.name}, {"Seconds", stage.seconds}});
  return json;
}

std::vector<StageTime> stagesFrom(const Json& json) {
  std::vector<StageTime> stages;
  for (const Json& stage : json)
    stages.push_back({stage.at("Name").get<std::string>(), numberFrom(stage.at("Seconds"))});
  return stages;
}

Json toJson(const Provenance& provenance) {
  Json inputs = Json::array();
  for (const InputFile& input : provenance.inputs)
    inputs.push_back({{"Slot", input.slot}, {"Path", input.path}, {"Sha256", input.sha256}});
  return {{"Analysis", provenance.analysis},
          {"Version", provenance.version},
          {"Parameters", toJson(provenance.parameters)},
          {"Backend", provenance.backend},
          {"Device", provenance.device},
          {"Inputs", inputs},
          {"Stages", toJson(provenance.stages)},
          {"CommandLine", provenance.commandLine},
          {"Created", provenance.created}};
}

Provenance provenanceFrom(const Json& json) {
  Provenance provenance;
  provenance.analysis = json.at("Analysis").get<std::string>();
  provenance.version = json.at("Version").get<std::string>();
  provenance.parameters = io::optionsFromJson(io::jsonText(json.at("Parameters")));
  provenance.backend = json.at("Backend").get<std::string>();
  provenance.device = json.at("Device").get<std::string>();
  for (const Json& input : json.at("Inputs"))
    provenance.inputs.push_back({input.at("Slot").get<std::string>(), input.at("Path").get<std::string>(),
                                 input.at("Sha256").get<std::string>()});
  provenance.stages = stagesFrom(json.at("Stages"));
  provenance.commandLine = json.at("CommandLine").get<std::string>();
  provenance.created = json.at("Created").get<std::string>();
  return provenance;
}

void readResult(RunResult& result, const Json& json, bool adjusted) {
  result.notes = notesFrom(json.at("Notes"));
  result.stages = stagesFrom(json.at("Stages"));
  result.seconds = json.at("Seconds").get<double>();
  // Older sessions do not have these.
  result.waited = json.value("Waited", 0.0);
  result.gpu = {json.value("GpuWaited", 0.0), json.value("GpuCopies", 0.0)};
  result.items = json.at("Items").get<double>();
  result.itemName = json.at("ItemName").get<std::string>();
  result.provenance = provenanceFrom(json.at("Provenance"));
  for (const Json& file : json.at("Files"))
    if (!adjusted || !file.at("Adjustable").get<bool>())
      result.files.push_back({file.at("Name").get<std::string>(), file.at("Text").get<std::string>(),
                              file.at("Adjustable").get<bool>()});
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
