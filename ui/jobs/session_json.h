#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/chart.h"
#include "ui/model/session/session_state.h"

#include <algorithm>
#include <array>
#include <string>

#include <nlohmann/json.hpp>

// Conversion of the parts of a session to and from JSON. Functions that read throw nlohmann::json::exception
// or std::out_of_range for JSON of a different structure.
namespace sulcus::ui::jobs {

using Json = nlohmann::ordered_json;

/// The index of a name in a list; 0 for a name that is not in it.
template <class Enum, std::size_t N>
Enum named(const Json& json, const std::array<const char*, N>& names) {
  const auto found = std::find(names.begin(), names.end(), json.get<std::string>());
  return Enum(found == names.end() ? 0 : found - names.begin());
}

Json toJson(const Vec3<double>& v);
Vec3<double> vecFrom(const Json& json);
Json toJson(const LabelTable& names);
LabelTable labelNamesFrom(const Json& json);
/// Names and regions of bundles; their lines are searched again on reading. Images of labels are numbers of
/// contents: −1 and null for one that is not among them.
using NumberOfLabels = std::function<int(const Volume<Label>&)>;
using LabelsOfNumber = std::function<std::shared_ptr<const Volume<Label>>(int)>;
Json toJson(const std::vector<Bundle>& bundles, const NumberOfLabels& numberOf);
std::vector<Bundle> bundlesFrom(const Json& json, const Tracts& tracts, const LabelsOfNumber& labelsOf);
Json toJson(const Reinterpretation& reinterpretation);
Reinterpretation reinterpretationFrom(const Json& json);
Json toJson(const Display& display);
Display displayFrom(const Json& json);
Json toJson(const OptionValues& values);
/// The options of an analysis: those in the JSON that the analysis has, defaults for the others.
OptionValues optionsFrom(const Json& json, const Analysis& analysis);
Json toJson(const Grid& grid);
Grid gridFrom(const Json& json);
Json toJson(const model::SessionView& view);
model::SessionView viewFrom(const Json& json);
Json toJson(const Chart& chart);
Chart chartFrom(const Json& json);
Json toJson(const std::vector<AgreementRow>& rows);
std::vector<AgreementRow> rowsFrom(const Json& json);
/// A note with a remedy by its parts, any other as one line.
Json toJson(const Notes& notes);
Notes notesFrom(const Json& json);
Json toJson(const std::vector<StageTime>& stages);
std::vector<StageTime> stagesFrom(const Json& json);
Json toJson(const Provenance& provenance);
Provenance provenanceFrom(const Json& json);
/// Fills in what a session stores of a result besides its layers. For an adjusted one, texts that an
/// adjustment would change are left out, since they describe other values.
void readResult(RunResult& result, const Json& json, bool adjusted);

}  // namespace sulcus::ui::jobs
