#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/color_stops.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/grids/assumed_sides.h"
#include "core/io/companions.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sulcus::io {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLongestVolumeName = 200;  ///< bytes
constexpr std::size_t kLongestUnit = 40;         ///< bytes; it follows every displayed number
constexpr std::size_t kLongestNote = 500;        ///< bytes
constexpr std::size_t kMostNotes = 20;

ordered_json toJson(const OptionValues& values) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, value] : values)
    std::visit([&, &key = name](const auto& v) { json[key] = v; }, value);
  return json;
}

/// Objects are created as such, here and elsewhere: if memory runs out while nlohmann's null becomes an
/// object, it is left half-built and ends the program when destroyed.
ordered_json toJson(const Provenance& p) {
  ordered_json json = ordered_json::object();
  json["GeneratedBy"] = ordered_json::array({{{"Name", "Sulcus"}, {"Version", p.version}}});
  json["Analysis"] = p.analysis;
  auto& sources = json["Sources"] = ordered_json::array();
  auto& inputs = json["Inputs"] = ordered_json::array();
  for (const auto& input : p.inputs) {
    sources.push_back(input.path);
    inputs.push_back({{"Slot", input.slot}, {"Path", input.path}, {"Sha256", input.sha256}});
  }
  json["Parameters"] = toJson(p.parameters);
  if (const auto seed = p.parameters.find("seed"); seed != p.parameters.end())
    std::visit([&](const auto& v) { json["Seed"] = v; }, seed->second);
  json["Backend"] = p.backend;
  json["Device"] = p.device;
  auto& stages = json["StageSeconds"] = ordered_json::object();
  for (const auto& stage : p.stages) stages[stage.name] = stage.seconds;
  json["CommandLine"] = p.commandLine;
  json["Created"] = p.created;
  return json;
}

std::string sulcusKind(const Layer& layer) {
  struct Name {
    std::string operator()(const VolumeLayer&) const { return "volume"; }
    std::string operator()(const LabelsLayer&) const { return "labels"; }
    std::string operator()(const PeaksLayer& l) const {
      return l.peaks->count > 0 ? "peaks" : kHarmonicsKind;
    }
    std::string operator()(const DisplacementLayer&) const { return "displacement"; }
    std::string operator()(const MeshLayer&) const { return "mesh"; }
    std::string operator()(const TableLayer&) const { return "table"; }
    std::string operator()(const CurveLayer&) const { return "curves"; }
    std::string operator()(const TractsLayer&) const { return "tracts"; }
  };
  return std::visit(Name{}, layer.content);
}

/// The display of a map as far as it differs from the default; empty if it does not.
ordered_json toJson(const Display& display) {
  const Display usual;
  ordered_json json = ordered_json::object();
  if (display.colormap != usual.colormap) json["Colors"] = display.colormap;
  if (!display.negativeColormap.empty()) json["NegativeColors"] = display.negativeColormap;
  if (display.range) json["Range"] = {display.range->low, display.range->high};
  if (display.hideBelow) json["HideBelow"] = *display.hideBelow;
  if (display.hideAbove) json["HideAbove"] = *display.hideAbove;
  if (display.fade) json["Fade"] = true;
  if (display.colorBar != usual.colorBar) json["ColorBar"] = display.colorBar;
  return json;
}

/// Reads a Display from a file, which may contain anything: invalid values get their defaults.
Display displayFrom(const ordered_json& json) {
  Display display;
  if (!json.is_object()) return display;
  const auto numberAt = [](const ordered_json& at, const auto& key) -> std::optional<double> {
    if (!at.contains(key) || !at[key].is_number()) return std::nullopt;
    const double value = at[key].template get<double>();
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  for (const auto& [key, colors] :
       {std::pair("Colors", &display.colormap), std::pair("NegativeColors", &display.negativeColormap)})
    if (const auto found = json.find(key); found != json.end() && found->is_string())
      *colors = sanitizedForDisplay(found->get<std::string>(), kLongestStops);
  if (const auto range = json.find("Range"); range != json.end() && range->is_array() && range->size() == 2) {
    const ordered_json &low = range->at(0), &high = range->at(1);
    if (low.is_number() && high.is_number() && std::isfinite(high.get<double>() - low.get<double>()) &&
        low.get<double>() < high.get<double>())
      display.range = Range{low.get<double>(), high.get<double>()};
  }
  display.hideBelow = numberAt(json, "HideBelow");
  display.hideAbove = numberAt(json, "HideAbove");
  if (const auto fade = json.find("Fade"); fade != json.end() && fade->is_boolean())
    display.fade = fade->get<bool>();
  if (const auto bar = json.find("ColorBar"); bar != json.end() && bar->is_boolean())
    display.colorBar = bar->get<bool>();
  return display;
}

std::string textAt(const ordered_json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Whether a key is written by sidecarJson(), so that its earlier value is not kept.
bool isOurs(const std::string& key) {
  static const std::set<std::string> keys{
      "GeneratedBy", "Analysis",    "Sources",        "Inputs",          "Parameters", "Seed",
      "Backend",     "Device",      "StageSeconds",   "CommandLine",     "Created",    "SulcusKind",
      "Units",       "VolumeNames", "GradientSource", "CoordinateSpace", "Notes",      "Display"};
  return keys.count(key) > 0;
}

OptionValues optionsOf(const ordered_json& json, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw Error(name + " holds no parameters", why,
                "give one JSON object of booleans, numbers and texts, as {save-params} writes it"_message);
  };
  if (!json.is_object()) refuse("it is not a JSON object");
  OptionValues values;
  for (const auto& [key, value] : json.items()) {
    if (value.is_boolean())
      values[key] = value.get<bool>();
    else if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(INT64_MAX))
      values[key] = value.get<double>();
    else if (value.is_number_integer())
      values[key] = value.get<std::int64_t>();
    else if (value.is_number())
      values[key] = value.get<double>();
    else if (value.is_string())
      values[key] = value.get<std::string>();
    else
      refuse(inQuotes(key, 40) + " is not a boolean, number or text");
  }
  return values;
}

/// The entries of an array; none if there is no array of that name.
std::vector<ordered_json> entriesOf(const ordered_json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_array()) return {};
  return {found->begin(), found->end()};
}

/// Whether a note still holds for the file in which a layer is saved.
bool holdsWhenSaved(const Note& note) { return note.isWarning() || note.subject == Subject::assumedSides; }

/// A note is a line, or an object if it has a subject.
ordered_json toJson(const Note& note) {
  if (note.subject == Subject::other) return note.line();
  return {{"Text", note.line()}, {"Subject", nameOf(note.subject)}};
}

void readNotes(const ordered_json& json, Sidecar& sidecar) {
  for (const auto& entry : entriesOf(json, "Notes")) {
    const std::string line = entry.is_string() ? entry.get<std::string>() : textAt(entry, "Text");
    Note saved = Note::from(sanitizedForDisplay(line, kLongestNote));
    if (entry.is_object()) saved.subject = subjectNamed(textAt(entry, "Subject"));
    if (saved.subject == Subject::assumedSides && !saved.isWarning())  // its text is about the earlier file
      saved = assumedSides("It was made from a file that states no orientation.");
    if (holdsWhenSaved(saved) && sidecar.notes.size() < kMostNotes) sidecar.notes.push_back(std::move(saved));
  }
}

/// Adds the keys that only volumes have.
void addVolumeKeys(const VolumeLayer& volume, const Display& display, ordered_json& json) {
  if (volume.secondsPerVolume > 0) json["RepetitionTime"] = volume.secondsPerVolume;
  if (!volume.volumeNames.empty()) json["VolumeNames"] = volume.volumeNames;
  if (!volume.gradients.empty()) json["GradientSource"] = volume.gradients.source;
  if (auto shown = toJson(display); !shown.empty()) json["Display"] = std::move(shown);
}

/// Adds what another program wrote into an earlier sidecar.
void keepOthers(const std::filesystem::path& earlier, ordered_json& json) {
  const ordered_json before = openJson(earlier);
  if (!before.is_object())
    throw Error(quoted(earlier) + " is not a JSON object", "what it holds would be lost",
                "correct it, or remove it");
  for (const auto& [key, value] : before.items())
    if (!isOurs(key) && !json.contains(key)) json[key] = value;
}

/// Reads what describes a single file.
void readKeysOfOneFile(const ordered_json& json, Sidecar& sidecar) {
  sidecar.kind = textAt(json, "SulcusKind");
  sidecar.unit = sanitizedForDisplay(textAt(json, "Units"), kLongestUnit);
  sidecar.space = textAt(json, "CoordinateSpace");
  if (const auto display = json.find("Display"); display != json.end())
    sidecar.display = displayFrom(*display);
  readNotes(json, sidecar);
  for (const auto& name : entriesOf(json, "VolumeNames"))
    sidecar.volumeNames.push_back(
        name.is_string() ? sanitizedForDisplay(name.get<std::string>(), kLongestVolumeName) : std::string());
}

}  // namespace

std::string provenanceJson(const Provenance& provenance) { return jsonText(toJson(provenance)); }
std::string optionsJson(const OptionValues& values) { return jsonText(toJson(values)); }

OptionValues optionsFromJson(const std::string& text) {
  const std::string name = "The text";
  return optionsOf(parseJson(text, name), name);
}
OptionValues openOptions(const std::filesystem::path& file) {
  return optionsOf(openJson(file), quoted(file));
}

std::string sidecarJson(const Layer& layer, const std::filesystem::path& earlier) {
  ordered_json json = layer.provenance ? toJson(*layer.provenance) : ordered_json::object();
  if (!layer.provenance) {
    json["GeneratedBy"] = ordered_json::array({{{"Name", "Sulcus"}, {"Version", sulcusVersion()}}});
    json["Sources"] = ordered_json::array();
    if (!layer.source.empty()) json["Sources"].push_back(layer.source);
  }
  json["SulcusKind"] = sulcusKind(layer);
  if (!layer.unit.empty()) json["Units"] = layer.unit;
  for (const Note& note : layer.notes)
    if (layer.provenance || holdsWhenSaved(note)) json["Notes"].push_back(toJson(note));
  if (isMesh(layer) || isTracts(layer)) json["CoordinateSpace"] = "RAS+ mm";
  if (const auto* volume = std::get_if<VolumeLayer>(&layer.content))
    addVolumeKeys(*volume, layer.display, json);
  if (!earlier.empty()) keepOthers(earlier, json);
  return jsonText(json);
}

Sidecar readSidecar(const std::filesystem::path& scan) {
  Sidecar sidecar;
  std::error_code fault;
  const std::filesystem::path own = sidecarOf(scan);
  sidecar.file = std::filesystem::is_regular_file(own, fault) ? own : inherited(scan, ".json");
  if (sidecar.file.empty()) {
    try {
      requireFetched(beside(scan, ".json"));
    } catch (const Error& fault) {
      sidecar.notes.push_back(Note::warning(fault.message()));
    }
    return sidecar;
  }
  const auto [json, warning] = openCompanionJson(sidecar.file);
  if (!warning.empty()) sidecar.notes.push_back(Note::warning(warning));
  // Keys that describe one file are not inherited from folders above.
  if (sidecar.file == own || sidecar.file.filename() == beside(scan, ".json").filename())
    readKeysOfOneFile(json, sidecar);
  if (const auto time = json.find("RepetitionTime"); time != json.end() && time->is_number()) {
    const double seconds = time->get<double>();
    if (std::isfinite(seconds) && seconds > 0) sidecar.repetitionTime = seconds;
  }
  return sidecar;
}

void addNotes(const Sidecar& sidecar, Layer& layer) {
  for (const Note& note : sidecar.notes) {
    const bool isKnown = note.subject == Subject::assumedSides
                             ? sidesAreAssumed(layer)
                             : std::ranges::find(layer.notes, note) != layer.notes.end();
    if (!isKnown) layer.notes.push_back(note);
  }
}

}  // namespace sulcus::io
