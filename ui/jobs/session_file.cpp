// Writes sessions; session_open.cpp opens them.
#include "ui/jobs/session_file.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/provenance.h"
#include "core/io/files.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "ui/jobs/session_json.h"
#include "ui/model/comparison/compared_layers.h"
#include "ui/model/session/file_names.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <utility>

namespace sulcus::ui::jobs {
namespace {

namespace fs = std::filesystem;

constexpr int kLongestStem = 40;  ///< characters, of at most four bytes: a file name has 255 bytes
constexpr std::size_t kMostPlotted = 300'000;  ///< numbers per run; more are recomputed when it is run again

bool isOrdinaryFile(const std::string& path) {
  std::error_code fault;
  return !path.empty() && fs::is_regular_file(path, fault);
}

/// The number that the name of a stored file begins with; 0 for files that are not ours.
int numberOf(const fs::path& file) {
  const std::string name = file.filename().string();
  int number = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
  return fault == std::errc() && end != name.data() + name.size() && *end == '_' && number > 0 ? number : 0;
}

/// A path as written in the session: relative to its folder if both are below a folder other than the root,
/// else absolute.
std::string pathFrom(const fs::path& folder, const fs::path& file) {
  const fs::path absolute = fs::absolute(file).lexically_normal();
  const auto top = [](const fs::path& path) { return *std::next(path.begin()); };
  const fs::path from = fs::absolute(folder).lexically_normal();
  if (from == from.root_path() || top(from) != top(absolute)) return absolute.string();
  return absolute.lexically_relative(from).string();
}

bool isEmptyLayer(const Layer& layer) {
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content)) return mesh->mesh->triangles.empty();
  if (const auto* lines = std::get_if<TractsLayer>(&layer.content)) return lines->tracts->points.empty();
  const Grid* grid = gridOf(layer);
  return grid && grid->voxels() == 0;
}

class SessionWriter {
 public:
  SessionWriter(const fs::path& file, StoredContents& stored, const std::optional<fs::path>& autosaved)
      : file_(file), folder_(sessionFolder(file)), stored_(stored), autosaved_(autosaved) {
    std::error_code fault;
    for (const auto& entry : fs::directory_iterator(folder_, fault)) last_ = std::max(last_, numberOf(entry));
    lastBefore_ = last_;
  }

  void write(const model::SessionState& state, const Progress& progress) {
    refuseOthers();
    refuseLink();
    Json json = Json::object();
    json["Sulcus"] = "session";
    json["Format"] = 1;
    json["Version"] = sulcusVersion();
    json["Saved"] = utcNow();
    if (autosaved_) json["Autosaved"] = autosaved_->string();
    const auto contents = gather(state);
    Json& all = json["Contents"] = Json::array();
    for (const LayerPtr& layer : contents) all.push_back(content(*layer, layer, progress));
    Json& layers = json["Layers"] = Json::array();
    for (const model::LayerState& layer : state.layers)
      layers.push_back({{"Id", layer.id},
                        {"Content", index_.at(layer.layer)},
                        {"Name", layer.name.toStdString()},
                        {"Display", toJson(layer.display)},
                        {"Volume", layer.volume},
                        {"OpacityBy", layer.opacityBy},
                        {"Color", layer.color},
                        {"Computed", layer.origin == model::Origin::computed},
                        {"Unsaved", autosaved_ && layer.unsaved}});
    json["Current"] = state.current;
    Json& analyses = json["Analyses"] = Json::object();
    for (const auto& [name, choices] : state.choices)
      analyses[name] = {{"Inputs", idsJson(choices.inputs)},
                        {"Unasked", choices.automatic},
                        {"Parameters", toJson(choices.options)}};
    json["Analysis"] = state.analysis;
    Json& runs = json["Runs"] = Json::array();
    for (const auto& placed : state.runs.runs) runs.push_back(run(placed));
    if (state.runs.compared) json["Compared"] = compared(*state.runs.compared);
    json["View"] = toJson(state.view);
    json["Provenances"] = provenances_;
    try {
      writeContents(progress);
      io::writeFile(file_, io::jsonText(json, 1), true);
    } catch (...) {
      removeFresh();
      throw;
    }
    for (const auto& [content, name] : fresh_) stored_.names[content] = name;
    stored_.written = fs::last_write_time(file_);
    removeUnused();
  }

 private:
  /// Every layer that is needed, once each.
  std::vector<LayerPtr> gather(const model::SessionState& state) {
    std::vector<LayerPtr> contents;
    const auto add = [&](const LayerPtr& layer) {
      if (index_.emplace(layer, int(contents.size())).second) contents.push_back(layer);
    };
    for (const model::LayerState& layer : state.layers) add(layer.layer);
    for (const auto& placed : state.runs.runs)
      for (const auto& [slot, layer] : placed.run.inputs) add(layer);
    return contents;
  }

  /// Makes a file, on any thread.
  using Write = std::function<void(const fs::path& to, const Progress&)>;

  /// The file for a content in the folder, which `write` will create if there is none yet.
  std::string storedAs(const std::shared_ptr<const void>& content, const std::string& stem,
                       const std::string& ending, const Write& write) {
    const auto known = stored_.names.find(content);
    if (known != stored_.names.end() && isOrdinaryFile((folder_ / known->second).string())) {
      used_.insert(numberOf(known->second));
      return known->second;
    }
    if (const auto named = fresh_.find(content); named != fresh_.end()) return named->second;
    const QString whole = model::fileStem(QString::fromStdString(stem));
    const std::string name = std::to_string(++last_) + '_' + whole.left(kLongestStem).toStdString() + ending;
    used_.insert(last_);
    writes_.push_back([to = folder_ / name, write](const Progress& progress) { write(to, progress); });
    return fresh_[content] = name;
  }

  Json content(const Layer& layer, const LayerPtr& key, const Progress& progress) {
    Json json{{"Name", layer.name}, {"Unit", layer.unit}, {"Kind", layer.content.index()}};
    json["Source"] = layer.source;
    json["Display"] = toJson(layer.display);
    if (!layer.reinterpretations.empty()) json["Takings"] = toJson(layer.reinterpretations);
    addChoices(layer, json);
    if (isOrdinaryFile(layer.source)) {
      const fs::path file = layer.source;
      json["File"] = {{"Path", pathOf(file)},
                      {"Bytes", fs::file_size(file)},
                      {"Modified", fs::last_write_time(file).time_since_epoch().count()}};
      if (!autosaved_) json["File"]["Sha256"] = io::rememberedSha256(file, progress);
      return json;
    }
    json["Notes"] = toJson(layer.notes);
    if (layer.provenance) json["Provenance"] = provenanceIndex(layer.provenance);
    if (!isEmptyLayer(layer)) store(layer, key, json);
    return json;
  }

  /// Adds what the user has chosen or added to a content, which its file does not say.
  void addChoices(const Layer& layer, Json& json) {
    if (const auto* field = std::get_if<DisplacementLayer>(&layer.content))
      json["Convention"] = field->convention == FieldConvention::itk ? "itk" : "slicer";
    if (const auto* volume = std::get_if<VolumeLayer>(&layer.content);
        volume && !volume->gradients.files.empty()) {
      Json& files = json["GradientFiles"] = Json::array();
      for (const std::string& file : volume->gradients.files) files.push_back(pathOf(file));
    }
    if (const auto* labels = std::get_if<LabelsLayer>(&layer.content); labels && labels->names)
      json["LabelNames"] = toJson(*labels->names);
    if (const auto* lines = std::get_if<TractsLayer>(&layer.content); lines && lines->bundles)
      json["Bundles"] =
          toJson(*lines->bundles, [this](const Volume<Label>& image) { return indexOf(image); });
    if (const auto* surface = std::get_if<MeshLayer>(&layer.content))
      for (const auto& [scalars, table] : surface->mesh->labelTables)
        json["PointLabels"][scalars] = toJson(*table);
  }

  /// The number of the layer with these labels; −1 if there is none.
  int indexOf(const Volume<Label>& image) const {
    for (const auto& [layer, number] : index_)
      if (const auto* held = std::get_if<LabelsLayer>(&layer->content); held && held->labels.get() == &image)
        return number;
    return -1;
  }

  /// Stores a content that is in no file of the user's.
  void store(const Layer& layer, const LayerPtr& key, Json& json) {
    const auto storeFields = [&](const auto* content, const char* ending) {
      json["Stored"] = storedAs(key, layer.name, ending, [content](const fs::path& to, const Progress&) {
        io::writeFile(to, io::jsonText(toJson(*content), -1));
      });
    };
    if (const auto* table = std::get_if<TableLayer>(&layer.content)) return storeFields(table, "_table.json");
    if (const auto* curves = std::get_if<CurveLayer>(&layer.content))
      return storeFields(curves, "_curves.json");
    if (const Grid* grid = gridOf(layer)) json["Grid"] = toJson(*grid);
    json["Stored"] =
        storedAs(key, layer.name, usualExtension(layer), [key](const fs::path& to, const Progress& part) {
          Layer stored = *key;  // bundles are recomputed from their regions
          if (auto* lines = std::get_if<TractsLayer>(&stored.content)) lines->bundles = nullptr;
          io::saveLayer(stored, to, false, part);
        });
    if (const auto* volume = std::get_if<VolumeLayer>(&layer.content)) addSeries(*volume, json);
    const auto* peaks = std::get_if<PeaksLayer>(&layer.content);
    if (peaks && peaks->tensor)
      json["Function"] =
          storedAs(peaks->tensor, layer.name + " function", ".nii.gz",
                   [name = layer.name, tensor = peaks->tensor](const fs::path& to, const Progress& part) {
                     Layer function;
                     function.name = name + " function";
                     function.content = VolumeLayer{tensor, {}, 0, {}};
                     io::saveLayer(function, to, false, part);
                   });
  }

  static void addSeries(const VolumeLayer& volume, Json& json) {
    json["SecondsPerVolume"] = volume.secondsPerVolume;
    json["VolumeNames"] = volume.volumeNames;
    json["IsPicture"] = volume.colors;
    Json& rows = json["Gradients"] = Json::array();
    for (const Gradient& row : volume.gradients.rows)
      rows.push_back({row.b, row.directionWorld.x, row.directionWorld.y, row.directionWorld.z});
    json["GradientSource"] = volume.gradients.source;
  }

  Json run(const model::RunsState::ShownRun& placed) {
    const model::Run& run = placed.run;
    Json json{{"Id", run.id}, {"Analysis", run.analysis->name}, {"Backend", backendName(run.backend)}};
    json["Title"] = run.title.toStdString();
    if (!run.place.isEmpty()) json["Place"] = run.place.toStdString();
    json["Parameters"] = toJson(run.options);
    json["Adjusted"] = run.adjusted;
    json["Together"] = run.together;
    Json& inputs = json["Inputs"] = Json::array();
    const auto names = run.inputNames;
    auto name = names.begin();
    for (const auto& [slot, id] : run.inputIds) {
      Json input{{"Slot", slot}, {"Layer", id}};
      if (name != names.end()) input["Name"] = (name++)->second.toStdString();
      inputs.push_back(std::move(input));
    }
    Json& contents = json["Contents"] = Json::array();
    for (const auto& [slot, layer] : run.inputs)
      contents.push_back({{"Slot", slot}, {"Content", index_.at(layer)}});
    Json& shown = json["Layers"] = Json::array();
    for (const auto& layer : placed.shown)
      shown.push_back({{"Name", layer.name}, {"Id", layer.id}, {"Asked", toJson(layer.given)}});
    json["Result"] = storedAs(run.result, run.analysis->name + " result", ".json",
                              [made = run.result](const fs::path& to, const Progress& part) {
                                io::writeFile(to, io::jsonText(result(*made, part), -1));
                              });
    return json;
  }

  static Json result(const RunResult& result, const Progress& progress) {
    Json json = toJson(result);
    std::size_t left = kMostPlotted;
    Json& plots = json["Plots"] = Json::array();
    for (const Plot& plot : result.plots) {
      progress.throwIfCancelled();
      Json made{{"Name", plot.name}, {"FollowsCrosshair", plot.followsCrosshair}};
      if (!plot.followsCrosshair && plot.make) {
        const Chart chart = plot.make({});
        std::size_t numbers = 0;
        for (const auto& one : chart.series) numbers += one.x.size() + one.y.size() + one.y2.size();
        if ((numbers > 0 || chart.matrix) && numbers <= left) {
          left -= numbers;
          made["Chart"] = toJson(chart);
        }
      }
      plots.push_back(std::move(made));
    }
    return json;
  }

  static Json compared(const model::ComparedRuns& compared) {
    Json worst = Json::array();
    for (const WorstVoxel& one : compared.comparison.worst) {
      worst.push_back({one.voxel.x, one.voxel.y, one.voxel.z, one.difference});
      if (one.place) worst.back().insert(worst.back().end(), {one.place->x, one.place->y, one.place->z});
    }
    const auto sideJson = [](const model::Run& side) {
      return model::isLayerSide(side) ? Json{{"Layer", side.layers.front()}} : Json(side.id);
    };
    return {{"A", sideJson(*compared.a)},
            {"B", sideJson(*compared.b)},
            {"Reasons", compared.comparison.reasons},
            {"Rows", toJson(compared.comparison.rows)},
            {"Worst", worst},
            {"TruthA", toJson(compared.truthA)},
            {"TruthB", toJson(compared.truthB)},
            {"Difference", compared.difference},
            {"Before", compared.before},
            {"Maps", compared.maps}};
  }

  static Json idsJson(const std::multimap<std::string, model::LayerId>& ids) {
    Json json = Json::array();
    for (const auto& [slot, id] : ids) json.push_back({{"Slot", slot}, {"Layer", id}});
    return json;
  }

  int provenanceIndex(const std::shared_ptr<const Provenance>& provenance) {
    const auto [known, fresh] = provenanceIndex_.emplace(provenance, int(provenances_.size()));
    if (fresh) provenances_.push_back(toJson(*provenance));
    return known->second;
  }

  std::string pathOf(const fs::path& file) const {
    return autosaved_ ? fs::absolute(file).lexically_normal().string() : pathFrom(file_.parent_path(), file);
  }

  /// Another window may have the session open, too.
  void refuseOthers() const {
    std::error_code fault;
    const auto written = fs::last_write_time(file_, fault);
    if (!fault && stored_.written && written != *stored_.written)
      throw Error(io::quoted(file_) + " was saved by another window since it was opened here",
                  "what was saved there would be lost", "save the session under another name");
  }

  /// Files are removed from the session's folder, which must therefore not be a link to another one.
  void refuseLink() const {
    std::error_code fault;
    if (fs::is_symlink(folder_, fault))
      throw Error(io::quotedPath(folder_) + " is a link",
                  "the session's data would be stored in another folder",
                  "remove the link, or save the session under another name");
  }

  void writeContents(const Progress& progress) const {
    if (writes_.empty()) return;
    std::error_code fault;
    fs::create_directories(folder_, fault);
    if (fault) io::failWriting(folder_, fault.value());
    // In parallel: while one is flushed to disk, others are compressed.
    parallelFor(
        std::int64_t(writes_.size()), progress.part(0, 0.95, "Session"),
        [&](std::int64_t i) { writes_[std::size_t(i)](progress.part(0, 0, "")); }, 1);
  }

  /// Removes what an unfinished save has written.
  void removeFresh() const {
    removeFiles([this](int number) { return number > lastBefore_; });
  }

  /// Removes the files that the session no longer needs.
  void removeUnused() const {
    removeFiles([this](int number) { return !used_.contains(number); });
  }

  /// Removes the session's own files whose numbers `go`, and the folder if it is empty then.
  void removeFiles(const std::function<bool(int number)>& go) const {
    std::error_code fault;
    std::vector<fs::path> gone;
    for (const auto& entry : fs::directory_iterator(folder_, fault))
      if (const int number = numberOf(entry); number > 0 && go(number)) gone.push_back(entry);
    for (const fs::path& file : gone) fs::remove(file, fault);
    if (fs::is_directory(folder_, fault)) fs::remove(folder_, fault);
  }

  fs::path file_, folder_;
  StoredContents& stored_;
  const std::optional<fs::path>& autosaved_;
  int last_ = 0;                                              ///< highest file number in the folder
  int lastBefore_ = 0;                                        ///< and before this save
  std::map<std::shared_ptr<const void>, std::string> fresh_;  ///< names of what still has to be written
  std::vector<std::function<void(const Progress&)>> writes_;  ///< the functions that write it
  std::set<int> used_;
  std::map<LayerPtr, int> index_;
  std::map<std::shared_ptr<const Provenance>, int> provenanceIndex_;
  Json provenances_ = Json::array();
};

}  // namespace

fs::path sessionFolder(const fs::path& file) { return fs::path(file) += ".d"; }

void writeSession(const model::SessionState& state, const fs::path& file, StoredContents& stored,
                  const Progress& progress, const std::optional<fs::path>& autosaved) {
  const fs::path whole = fs::absolute(file).lexically_normal();
  model::SessionState numbered = state;
  renumber(numbered, 1, 1);
  try {
    SessionWriter(whole, stored, autosaved).write(numbered, progress);
  } catch (const fs::filesystem_error& fault) {
    throw Error(io::quotedPath(whole) + " cannot be written", fault.code().message(), "choose another place");
  }
}

}  // namespace sulcus::ui::jobs
