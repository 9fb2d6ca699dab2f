// Opens sessions; session_file.cpp writes them.
#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/labels/label_regions.h"
#include "core/io/files.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "ui/jobs/session_file.h"
#include "ui/jobs/session_json.h"
#include "ui/jobs/session_layer.h"
#include "ui/model/comparison/compared_layers.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sulcus::ui::jobs {
namespace {

namespace fs = std::filesystem;
using model::LayerId;
using model::LayerState;

constexpr int kFormat = 1;
constexpr int kGreatestId = 1'000'000;

/// A name for display: one of a hundred thousand characters would freeze the window.
std::string nameFrom(const Json& json) {
  constexpr std::size_t kLongest = 200;  // bytes
  return sanitizedForDisplay(json.get<std::string>(), kLongest);
}

/// The JSON in a file of the session's folder; it may be a long table.
Json storedJson(const fs::path& file) {
  constexpr std::uint64_t kMostBytes = 200'000'000;
  return io::parseJson(io::openText(file, kMostBytes), io::quotedPath(file));
}

bool isThere(const fs::path& path) {
  std::error_code fault;
  return fs::is_regular_file(path, fault);
}

class SessionReader {
 public:
  SessionReader(const fs::path& file, const std::vector<Analysis>& analyses, const fs::path& lookIn)
      : file_(fs::absolute(file).lexically_normal()), analyses_(analyses), lookIn_(lookIn) {}

  OpenedSession open(bool rest, const Progress& progress) {
    opened_.stored.written = fs::last_write_time(file_, fault_);
    const Json json = io::openJson(file_);
    if (!json.is_object() || json.value("Sulcus", "") != "session")
      throw Error(io::quoted(file_) + " is not a session", "a session is what Sulcus saves as .sulcus",
                  "open it as a file, or choose another one");
    const int format = json.at("Format").get<int>();
    if (format != kFormat)
      throw Error(
          io::quoted(file_) + " was saved by another version of Sulcus",
          "its format is " + std::to_string(format) + ", this program reads " + std::to_string(kFormat),
          "open it with the version that saved it (" +
              sanitizedForDisplay(json.value("Version", "a newer one"), 40) + ")");
    if (json.contains("Autosaved")) opened_.autosaved = json["Autosaved"].get<std::string>();
    const Json& contents = json.at("Contents");
    for (const Json& one : contents) lookFor(one);
    if (!opened_.missing.empty() && !rest) return std::move(opened_);
    for (const Json& one : json.at("Provenances"))
      provenances_.push_back(std::make_shared<const Provenance>(readAs<Provenance>(one)));
    const double share = 1 / double(std::max<std::size_t>(contents.size(), 1));
    for (std::size_t i = 0; i < contents.size(); ++i)
      content(contents[i], progress.part(share * double(i), share * double(i + 1), ""));
    bundles(contents);
    layers(json.at("Layers"));
    model::SessionState& state = opened_.state;
    const LayerId current = json.at("Current").get<int>();
    state.current = state.layers.empty() ? 0 : state.layers.back().id;
    if (ids_.contains(current)) state.current = current;
    for (const auto& [name, choices] : json.at("Analyses").items())
      if (const Analysis* analysis = analysisNamed(name)) {
        auto& chosen = state.choices[name];
        chosen.inputs = idsFrom(choices.at("Inputs"));
        chosen.automatic = choices.at("Unasked").get<std::set<std::string>>();
        chosen.options = optionsFrom(choices.at("Parameters"), *analysis);
      }
    state.analysis = json.at("Analysis").get<std::string>();
    for (const Json& one : json.at("Runs")) run(one);
    if (const auto compared = json.find("Compared"); compared != json.end()) compare(*compared);
    state.view = viewFrom(json.at("View"));
    for (LayerId* id : {&state.view.pairLower, &state.view.pairUpper})
      if (!ids_.contains(*id)) *id = 0;
    return std::move(opened_);
  }

 private:
  /// A layer of the session; null if it could not be opened.
  struct Content {
    LayerPtr layer;
    bool changed = false;  ///< it differs from when the session was saved
  };

  fs::path besideSession(const fs::path& path) const {
    return path.is_absolute() ? path : (file_.parent_path() / path).lexically_normal();
  }

  /// Where a file is now; the path in the session if it is nowhere to be found.
  fs::path found(const std::string& path) const {
    const fs::path said = besideSession(path);
    if (lookIn_.empty() || isThere(said)) return said;
    // Match as much of its path as possible, longest first: sub-01/anat/T1w.nii before T1w.nii.
    std::vector<fs::path> parts(said.begin(), said.end());
    for (std::size_t from = 1; from < parts.size(); ++from) {
      fs::path moved = lookIn_;
      for (std::size_t i = from; i < parts.size(); ++i) moved /= parts[i];
      if (isThere(moved)) return moved;
    }
    return said;
  }

  /// A file in the session's folder; a name cannot lead outside it.
  fs::path inFolder(const Json& name) const {
    const fs::path file = name.get<std::string>();
    if (file.empty() || file != file.filename() || file == "." || file == "..")
      throw Error(io::quoted(file_) + " names a file outside of its folder", io::quotedPath(file),
                  "open the files individually");
    return sessionFolder(file_) / file;
  }

  void lookFor(const Json& content) {
    const auto look = [this](const fs::path& file) {
      if (!isThere(file)) opened_.missing.push_back(sanitizedForDisplay(file.string(), 300));
    };
    if (content.contains("File")) look(found(content["File"].at("Path").get<std::string>()));
    for (const char* key : {"Stored", "Function"})
      if (content.contains(key)) look(inFolder(content[key]));
  }

  void content(const Json& json, const Progress& progress) {
    Content made;
    try {
      Layer layer =
          json.contains("File") ? fromFile(json, made.changed, progress) : fromFolder(json, progress);
      made.layer = std::make_shared<const Layer>(std::move(layer));
      if (json.contains("Stored")) opened_.stored.names[made.layer] = json["Stored"].get<std::string>();
      if (const auto* peaks = std::get_if<PeaksLayer>(&made.layer->content);
          peaks && json.contains("Function"))
        opened_.stored.names[peaks->tensor] = json["Function"].get<std::string>();
    } catch (const Error& fault) {
      opened_.notes.emplace_back(fault.message());
    }
    contents_.push_back(std::move(made));
  }

  /// Bundles may be of labels, so they come after all contents.
  void bundles(const Json& contents) {
    const auto labelsOf = [this](int number) -> std::shared_ptr<const Volume<Label>> {
      const auto& layer = contents_.at(std::size_t(number)).layer;
      const auto* image = layer ? std::get_if<LabelsLayer>(&layer->content) : nullptr;
      return image ? image->labels : nullptr;
    };
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (!contents_[i].layer) continue;
      try {  // the layer has just been made and is not shared yet
        restoreBundles(*std::const_pointer_cast<Layer>(contents_[i].layer), contents[i], labelsOf);
      } catch (const Error& fault) {
        opened_.notes.emplace_back(fault.message());
      }
    }
  }

  Layer fromFile(const Json& json, bool& changed, const Progress& progress) {
    const Json& said = json["File"];
    const fs::path file = found(said.at("Path").get<std::string>());
    std::error_code fault;
    changed = fs::file_size(file, fault) != said.at("Bytes").get<std::uintmax_t>();
    if (!changed && fs::last_write_time(file, fault).time_since_epoch().count() !=
                        said.at("Modified").get<std::int64_t>())
      changed = !said.contains("Sha256") ||
                io::rememberedSha256(file, progress) != said["Sha256"].get<std::string>();
    const auto kind = json.at("Kind").get<std::size_t>();
    const auto isKind = [&](const LayerContent& content) { return content.index() == kind; };
    Layer layer = io::openLayer(
        file, progress, isKind(LabelsLayer()) ? io::UnlabeledData::areLabels : io::UnlabeledData::judged);
    if (changed)
      opened_.notes.push_back(io::quotedPath(file) +
                              " has changed since the session was saved: it is shown as it is now, and "
                              "results made from it as they were.");
    if (isKind(LabelsLayer()) && isImage(layer)) layer = asLabels(layer);
    if (isKind(VolumeLayer()) && std::holds_alternative<LabelsLayer>(layer.content)) layer = asVolume(layer);
    if (auto* labels = std::get_if<LabelsLayer>(&layer.content); labels && json.contains("LabelNames"))
      labels->names = std::make_shared<const LabelTable>(labelNamesFrom(json["LabelNames"]));
    if (auto* volume = std::get_if<VolumeLayer>(&layer.content); volume && json.contains("GradientFiles"))
      giveGradients(layer, *volume, json["GradientFiles"]);
    if (json.contains("Takings"))
      for (const Json& one : json["Takings"]) layer = reinterpret(layer, readAs<Reinterpretation>(one));
    if (!isKind(layer.content)) changed = true;
    if (const auto* field = std::get_if<DisplacementLayer>(&layer.content))
      if (const FieldConvention wanted = conventionOf(json); wanted != field->convention)
        layer = withConvention(layer, wanted);
    return layer;
  }

  void giveGradients(Layer& layer, const VolumeLayer& volume, const Json& said) const {
    std::vector<fs::path> files;
    for (const Json& file : said) files.push_back(found(file.get<std::string>()));
    const auto& have = volume.gradients.files;
    if (std::ranges::equal(files, have, [](const fs::path& a, const std::string& b) {
          return a == fs::absolute(b).lexically_normal();
        }))
      return;
    const Series<float>& series = *volume.series;
    io::replaceGradients(layer, files.size() == 2
                                    ? io::readFslGradients(files[0], files[1], series.grid, series.count)
                                    : io::readMrtrixGradients(files.at(0), series.count));
  }

  Layer fromFolder(const Json& json, const Progress& progress) const {
    if (!json.contains("Stored"))
      throw Error(inQuotes(json.at("Name").get<std::string>()) + " is not in the session",
                  "it had nothing to store", "run again to get it");
    const fs::path file = inFolder(json["Stored"]);
    const auto kind = json.at("Kind").get<std::size_t>();
    Layer layer;
    if (kind == LayerContent(TableLayer()).index()) {
      layer.content = readAs<TableLayer>(storedJson(file));
    } else if (kind == LayerContent(CurveLayer()).index()) {
      auto curves = readAs<CurveLayer>(storedJson(file));
      for (const auto& line : curves.lines)
        if (line.x.size() != line.y.size())
          throw std::out_of_range("a curve has more x than y values, or fewer");
      layer.content = std::move(curves);
    } else {
      layer = io::openLayer(file, progress);
      if (layer.content.index() != kind)
        throw Error(io::quotedPath(file) + " is not what the session stored", "it is of a different kind",
                    "run again to get it");
    }
    layer.name = nameFrom(json.at("Name"));
    layer.unit = json.at("Unit").get<std::string>();
    read(json.at("Notes"), layer.notes);
    layer.source = json.at("Source").get<std::string>();
    layer.display = displayFrom(json.at("Display"));
    if (json.contains("Takings"))  // the content was stored after it was reinterpreted
      read(json["Takings"], layer.reinterpretations);
    if (json.contains("Provenance"))
      layer.provenance = provenances_.at(json["Provenance"].get<std::size_t>());
    restore(layer, json);
    addFunction(layer, json, progress);
    return layer;
  }

  /// Gives peaks the function in which they were found.
  void addFunction(Layer& layer, const Json& json, const Progress& progress) const {
    auto* peaks = std::get_if<PeaksLayer>(&layer.content);
    if (!peaks || !json.contains("Function")) return;
    const Layer function = io::openLayer(inFolder(json["Function"]), progress, io::UnlabeledData::asImage);
    const auto* values = std::get_if<VolumeLayer>(&function.content);
    if (!values || !sameGrid(values->series->grid, peaks->peaks->grid)) return;
    auto series = std::make_shared<Series<float>>(*values->series);
    series->grid = peaks->peaks->grid;
    peaks->tensor = std::move(series);
  }

  void layers(const Json& json) {
    for (const Json& one : json) {
      const Content& content = contents_.at(one.at("Content").get<std::size_t>());
      LayerState state;
      state.id = one.at("Id").get<int>();
      if (state.id < 1 || state.id > kGreatestId || !ids_.insert(state.id).second)
        throw std::out_of_range("a layer has no number of its own");
      if (!content.layer) {
        ids_.erase(state.id);
        continue;
      }
      state.layer = content.layer;
      state.name = QString::fromStdString(nameFrom(one.at("Name")));
      state.display = displayFrom(one.at("Display"));
      const auto* volume = std::get_if<VolumeLayer>(&state.layer->content);
      const int last = volume ? volume->series->count - 1 : kGreatestId;
      state.volume = std::clamp(one.at("Volume").get<int>(), volume ? 0 : -1, last);
      if (!state.display.range) state.display.range = model::automaticRangeOf(*state.layer, state.volume);
      state.opacityBy = one.value("OpacityBy", 0);
      state.color = std::clamp(one.at("Color").get<int>(), 0, kGreatestId);
      state.origin = one.at("Computed").get<bool>() ? model::Origin::computed : model::Origin::given;
      state.unsaved = one.at("Unsaved").get<bool>();
      opened_.state.layers.push_back(std::move(state));
    }
    for (LayerState& state : opened_.state.layers)
      if (!ids_.contains(state.opacityBy)) state.opacityBy = 0;
  }

  const Analysis* analysisNamed(const std::string& name) const {
    const auto found = std::ranges::find(analyses_, name, &Analysis::name);
    return found == analyses_.end() ? nullptr : &*found;
  }

  std::multimap<std::string, LayerId> idsFrom(const Json& json) const {
    std::multimap<std::string, LayerId> ids;
    for (const Json& one : json)
      if (const LayerId id = one.at("Layer").get<int>(); ids_.contains(id))
        ids.emplace(one.at("Slot").get<std::string>(), id);
    return ids;
  }

  void run(const Json& json) {
    const Analysis* analysis = analysisNamed(json.at("Analysis").get<std::string>());
    if (!analysis) {
      opened_.notes.push_back("There is no analysis " + inQuotes(json["Analysis"].get<std::string>(), 40) +
                              " here: its layers are shown but cannot be changed.");
      return;
    }
    model::RunsState::ShownRun placed;
    model::Run& run = placed.run;
    run.analysis = analysis;
    run.id = json.at("Id").get<int>();
    for (const auto& other : opened_.state.runs.runs)
      if (other.run.id == run.id) throw std::out_of_range("two runs have the same number");
    if (run.id < 1 || run.id > kGreatestId) throw std::out_of_range("a run has no number");
    run.backend = json.at("Backend").get<std::string>() == "gpu" ? Backend::gpu : Backend::cpu;
    run.title = QString::fromStdString(nameFrom(json.at("Title")));
    if (json.contains("Place")) run.place = QString::fromStdString(nameFrom(json["Place"]));
    run.options = run.computed = optionsFrom(json.at("Parameters"), *analysis);
    run.stored = true;
    run.together = std::clamp(json.at("Together").get<int>(), 0, kGreatestId);
    readInputs(run, json);
    auto result = std::make_shared<RunResult>();
    for (const Json& one : json.at("Layers")) {
      const LayerId id = one.at("Id").get<int>();
      const auto shown = std::ranges::find(opened_.state.layers, id, &LayerState::id);
      if (shown == opened_.state.layers.end()) continue;
      const auto name = one.at("Name").get<std::string>();
      placed.shown.push_back({name, id, displayFrom(one.at("Asked"))});
      run.layers.push_back(id);
      result->layers.push_back(*shown->layer);
      result->layers.back().name = name;
    }
    if (run.layers.empty()) return;
    const bool adjusted = json.at("Adjusted").get<bool>();
    try {
      readResult(*result, storedJson(inFolder(json.at("Result"))), adjusted);
    } catch (const Error& fault) {
      opened_.notes.emplace_back(fault.message());
    }
    // The file of an adjusted run also has texts that no longer apply: the next session has one without them.
    if (!adjusted)
      opened_.stored.names[std::shared_ptr<const void>(result)] = json.at("Result").get<std::string>();
    run.result = std::move(result);
    opened_.state.runs.runs.push_back(std::move(placed));
  }

  void readInputs(model::Run& run, const Json& json) const {
    for (const Json& input : json.at("Inputs")) {
      const auto slot = input.at("Slot").get<std::string>();
      run.inputIds.emplace(slot, input.at("Layer").get<int>());
      run.inputNames.emplace(slot,
                             QString::fromStdString(input.contains("Name") ? nameFrom(input["Name"]) : ""));
    }
    for (const Json& input : json.at("Contents")) {
      const Content& content = contents_.at(input.at("Content").get<std::size_t>());
      if (content.layer && !content.changed)
        run.inputs.emplace(input.at("Slot").get<std::string>(), content.layer);
    }
  }

  void compare(const Json& json) {
    const auto layerOf = [&](LayerId id) -> const LayerState* {
      const auto found = std::ranges::find(opened_.state.layers, id, &LayerState::id);
      return found == opened_.state.layers.end() ? nullptr : &*found;
    };
    const auto runWith = [&](const Json& id) -> model::RunPtr {
      if (id.is_object()) {
        const LayerState* layer = layerOf(id.at("Layer").get<int>());
        return layer ? model::sideOf(*layer) : nullptr;
      }
      for (const auto& placed : opened_.state.runs.runs)
        if (placed.run.id == id.get<int>()) return std::make_shared<const model::Run>(placed.run);
      return nullptr;
    };
    auto compared = std::make_shared<model::ComparedRuns>();
    compared->a = runWith(json.at("A"));
    compared->b = runWith(json.at("B"));
    if (!compared->a || !compared->b || compared->a->analysis != compared->b->analysis) return;
    read(json.at("Rows"), compared->comparison.rows);
    for (const Json& one : json.at("Worst")) {
      compared->comparison.worst.push_back(
          {{one.at(0).get<int>(), one.at(1).get<int>(), one.at(2).get<int>()}, one.at(3).get<double>()});
      if (one.size() > 4)
        compared->comparison.worst.back().place = {one.at(4).get<double>(), one.at(5).get<double>(),
                                                   one.at(6).get<double>()};
    }
    if (const auto reasons = json.find("Reasons"); reasons != json.end())
      compared->comparison.reasons = reasons->get<std::vector<std::string>>();
    read(json.at("TruthA"), compared->truthA);
    read(json.at("TruthB"), compared->truthB);
    compared->difference = json.at("Difference").get<int>();
    compared->before = json.at("Before").get<int>();
    if (const auto maps = json.find("Maps"); maps != json.end())
      compared->maps = maps->get<std::array<LayerId, 2>>();
    if (const LayerState* shown = layerOf(compared->difference))
      compared->comparison.difference = *shown->layer;
    if (const LayerState* shown = layerOf(compared->before)) compared->comparison.before = shown->layer;
    opened_.state.runs.compared = std::move(compared);
  }

  fs::path file_;
  const std::vector<Analysis>& analyses_;
  fs::path lookIn_;
  OpenedSession opened_;
  std::error_code fault_;  ///< of a modification time, which does not matter if the file cannot be read
  std::vector<std::shared_ptr<const Provenance>> provenances_;
  std::vector<Content> contents_;
  std::set<LayerId> ids_;
};

}  // namespace

OpenedSession openSession(const fs::path& file, const std::vector<Analysis>& analyses, const fs::path& lookIn,
                          bool rest, const Progress& progress) {
  const auto damaged = [&](const char* how) {
    return Error(io::quoted(file) + " is not a readable session", how,
                 "open another one, or the files in " + io::quoted(sessionFolder(file)) + " individually");
  };
  try {
    return SessionReader(file, analyses, lookIn).open(rest, progress);
  } catch (const nlohmann::json::exception& fault) {
    throw damaged(fault.what());
  } catch (const std::out_of_range& fault) {
    throw damaged(fault.what());
  }
}

}  // namespace sulcus::ui::jobs
