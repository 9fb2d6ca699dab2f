#include "app/cli/template_store.h"

#include "core/base/error.h"
#include "core/image/display/layer_values.h"
#include "core/io/files.h"
#include "core/io/streams/file_json.h"

#include <memory>
#include <system_error>

#include <nlohmann/json.hpp>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStateName = "state.json";

fs::path fieldFile(const fs::path& folder, int round, std::size_t person) {
  return folder / ("round-" + std::to_string(round)) / (std::to_string(person + 1) + ".nii");
}

void keepField(const fs::path& file, const Series<float>& field) {
  Layer layer;
  layer.name = file.stem().string();
  layer.unit = "mm";
  layer.content = DisplacementLayer{std::make_shared<const Series<float>>(field)};
  io::saveLayer(layer, file, true);
}

/// The field in a file; null if there is none or it cannot be read.
std::shared_ptr<const Series<float>> fieldIn(const fs::path& file) {
  if (std::error_code fault; !fs::exists(file, fault)) return nullptr;
  try {
    const Layer layer = io::openVolume(file);
    const auto* field = std::get_if<DisplacementLayer>(&layer.content);
    return field ? field->displacement : nullptr;
  } catch (const Error&) {
    return nullptr;
  }
}

void keepImage(const fs::path& file, const Volume<float>& image) {
  io::saveLayer(mapLayer(file.stem().string(), "", "gray", Series<float>(image)), file, true);
}

Volume<float> imageIn(const fs::path& file) {
  return firstVolume(io::openVolume(file, {}, io::UnlabeledData::asImage), "a kept average");
}

nlohmann::ordered_json affineJson(const Affine& map) {
  auto json = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < 3; ++i) json.push_back({map.m[i][0], map.m[i][1], map.m[i][2], map.t[int(i)]});
  return json;
}

Affine affineIn(const nlohmann::ordered_json& json) {
  Affine map;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) map.m[i][j] = json.at(i).at(j).get<double>();
    map.t[int(i)] = json.at(i).at(3).get<double>();
  }
  return map;
}

nlohmann::ordered_json gridJson(const Grid& grid) {
  return {{"size", {grid.size.x, grid.size.y, grid.size.z}}, {"world", affineJson(grid.worldFromVoxel)}};
}

Grid gridOf(const nlohmann::ordered_json& json) {
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) grid.size[axis] = json.at("size").at(std::size_t(axis)).get<int>();
  grid.worldFromVoxel = affineIn(json.at("world"));
  return grid;
}

void keepState(const fs::path& folder, const std::string& key, const registration::PopulationState& state) {
  const std::string round = std::to_string(state.rounds);
  keepImage(folder / ("average-" + round + ".nii"), state.average);
  keepImage(folder / ("sd-" + round + ".nii"), state.sd);
  if (state.reshaping) keepField(folder / ("reshaping-" + round + ".nii"), *state.reshaping);
  nlohmann::ordered_json json{{"key", key},
                              {"rounds", state.rounds},
                              {"fine", state.isFine},
                              {"grid", gridJson(state.grid)},
                              {"coarse", gridJson(state.coarse)},
                              {"brightness", {state.dark, state.brightness}},
                              {"maps", nlohmann::ordered_json::array()},
                              {"figures", nlohmann::ordered_json::array()}};
  for (const Affine& map : state.personFromTemplate) json["maps"].push_back(affineJson(map));
  for (const auto& figures : state.figures)
    json["figures"].push_back({figures.spacing, figures.moved, figures.correlation});
  io::writeFile(folder / kStateName, io::jsonText(json), true);
  // Files that the next round does not need.
  std::error_code fault;
  fs::remove_all(folder / ("round-" + std::to_string(state.rounds - 1)), fault);
  for (const char* name : {"average-", "sd-", "reshaping-"})
    for (const char* ending : {".nii", ".json"})
      fs::remove(folder / (name + std::to_string(state.rounds - 1) + ending), fault);
}

std::optional<registration::PopulationState> stateIn(const fs::path& folder, const std::string& key) {
  if (std::error_code fault; !fs::exists(folder / kStateName, fault)) return {};
  const auto json = io::openJson(folder / kStateName);
  if (json.at("key").get<std::string>() != key) return {};
  registration::PopulationState state;
  state.rounds = json.at("rounds").get<int>();
  state.isFine = json.at("fine").get<bool>();
  state.grid = gridOf(json.at("grid"));
  state.coarse = gridOf(json.at("coarse"));
  state.dark = json.at("brightness").at(0).get<double>();
  state.brightness = json.at("brightness").at(1).get<double>();
  for (const auto& map : json.at("maps")) state.personFromTemplate.push_back(affineIn(map));
  for (const auto& one : json.at("figures"))
    state.figures.push_back({one.at(0).get<double>(), one.at(1).get<double>(), one.at(2).get<double>()});
  const std::string round = std::to_string(state.rounds);
  state.average = imageIn(folder / ("average-" + round + ".nii"));
  state.sd = imageIn(folder / ("sd-" + round + ".nii"));
  state.reshaping = fieldIn(folder / ("reshaping-" + round + ".nii"));
  if (state.rounds > 0 && !state.reshaping) return {};
  return state;
}

/// The stored state; none if there is none with this key, or if it is damaged.
std::optional<registration::PopulationState> readableState(const fs::path& folder, const std::string& key) {
  try {
    return stateIn(folder, key);
  } catch (const Error&) {
  } catch (const nlohmann::json::exception&) {
  } catch (const std::bad_variant_access&) {
  }
  return {};
}

}  // namespace

registration::PopulationStore folderStore(const fs::path& folder, const std::string& key) {
  const auto known =
      std::make_shared<std::optional<registration::PopulationState>>(readableState(folder, key));
  std::error_code fault;
  if (!*known) {
    if (fs::exists(folder, fault) && !fs::exists(folder / kStateName, fault) && !fs::is_empty(folder, fault))
      throw Error("The folder '" + folder.string() + "' contains something else",
                  "an unfinished template is stored there", "move it away, or choose another --out");
    fs::remove_all(folder, fault);
  }
  fs::create_directories(folder, fault);
  if (!fault && !*known) io::writeFile(folder / kStateName, io::jsonText({{"key", key}}), true);
  if (fault)
    throw Error("The folder '" + folder.string() + "' cannot be created", fault.message(),
                "choose another --out");
  registration::PopulationStore store;
  store.state = [known] { return *known; };
  store.keepState = [folder, key](const registration::PopulationState& state) {
    keepState(folder, key, state);
  };
  store.field = [folder](int round, std::size_t person) { return fieldIn(fieldFile(folder, round, person)); };
  store.keepField = [folder](int round, std::size_t person, const Series<float>& field) {
    const fs::path file = fieldFile(folder, round, person);
    fs::create_directories(file.parent_path());
    keepField(file, field);
  };
  return store;
}

void removeIfUnused(const fs::path& folder) {
  std::error_code fault;
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder, fault)) ++files;
  if (files == 1 && fs::remove(folder / kStateName, fault)) fs::remove(folder, fault);
}

}  // namespace sulcus::app::cli
