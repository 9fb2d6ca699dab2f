// The view of a session, as JSON.
#include "ui/jobs/session_json.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::ui::jobs {
namespace {

constexpr std::array kPairModes{"off", "checkerboard", "blink", "blend", "wipe"};
constexpr std::array kGlyphShapes{"sticks", "lobes", "both", "ellipsoids"};
constexpr std::array kFieldShapes{"grid", "arrows", "magnitude"};
constexpr std::array kFieldColors{"length", "direction", "plain"};
constexpr std::array kPlanes{"axial", "coronal", "sagittal"};
constexpr std::array kBackgrounds{"dark", "black", "white"};
constexpr std::array kViews{"axial", "coronal", "sagittal", "3d"};
constexpr double kWidestPanel = 10000;  ///< pixels

double soundNumber(const Json& json, double otherwise) {
  return json.is_number() && std::isfinite(json.get<double>()) ? json.get<double>() : otherwise;
}

void addTurn(const SliceTurn& turn, Json& json) {
  if (turn != SliceTurn())
    for (const Vec3<double>& normal : turn.axes) json["Turn"].push_back(toJson(normal));
}

SliceTurn turnFrom(const Json& json) {
  const auto turn = json.find("Turn");
  if (turn == json.end()) return {};
  return soundTurn({vecFrom(turn->at(0)), vecFrom(turn->at(1)), vecFrom(turn->at(2))});
}

}  // namespace

Json toJson(const model::SessionView& view) {
  const model::WindowLook& window = view.window;
  Json json = Json::object();
  json["Crosshair"] = toJson(view.crosshair);
  json["Centre"] = toJson(view.center);
  json["Extent"] = view.extent;
  addTurn(view.turn, json);
  json["Radiological"] = view.radiological;
  json["CrosshairVisible"] = view.crosshairVisible;
  json["LettersVisible"] = view.lettersVisible;
  json["ScaleBarVisible"] = view.scaleBarVisible;
  json["TwoImages"] = {{"Mode", kPairModes[std::size_t(view.pairMode)]},
                       {"Lower", view.pairLower},
                       {"Upper", view.pairUpper},
                       {"Share", view.pairShare},
                       {"Tile", view.pairTile},
                       {"Rate", view.pairRate}};
  json["Plot"] = view.plot;
  json["Layout"] = window.layout;
  json["ComparePlane"] = kPlanes[std::size_t(window.comparePlane)];
  json["CompareIn3d"] = window.compareIn3d;
  json["PlanesBesideSurfaces"] = window.planesBesideSurfaces;
  json["Lightbox"] = {{"Plane", kPlanes[std::size_t(window.lightbox.plane)]},
                      {"Columns", window.lightbox.columns},
                      {"Rows", window.lightbox.rows}};
  json["Glyphs"] = {{"Shape", kGlyphShapes[std::size_t(window.glyphs.shape)]},
                    {"Scale", window.glyphs.scale},
                    {"LineWidth", window.glyphs.lineWidth},
                    {"TractWidth", window.glyphs.tractWidth}};
  json["Fields"] = {{"Shape", kFieldShapes[std::size_t(window.fields.shape)]},
                    {"Color", kFieldColors[std::size_t(window.fields.color)]},
                    {"Every", window.fields.every},
                    {"WithoutAffine", window.fields.withoutAffine}};
  json["Scene"] = {{"Background", kBackgrounds[std::size_t(window.scene.background)]},
                   {"Light", window.scene.light}};
  for (const model::DetachedView& one : window.detached)
    json["Detached"].push_back({{"View", kViews[std::size_t(one.view)]}, {"Place", one.place}});
  for (const model::UnlinkedView& one : window.unlinked) {
    Json& made = json["Unlinked"].emplace_back(Json{{"Plane", kPlanes[std::size_t(one.plane)]},
                                                    {"Crosshair", toJson(one.crosshair)},
                                                    {"Centre", toJson(one.center)},
                                                    {"Extent", one.extent}});
    addTurn(one.turn, made);
  }
  if (const auto& panels = window.panels)
    json["Panels"] = {{"Layers", panels->layers},
                      {"LayersWidth", panels->layersWidth},
                      {"Analysis", panels->analysis},
                      {"AnalysisWidth", panels->analysisWidth},
                      {"Lower", panels->lower},
                      {"LowerPage", panels->lowerPage},
                      {"LowerFolded", panels->lowerFolded},
                      {"LowerHeight", panels->lowerHeight}};
  if (const auto& panels = window.panels)
    for (const model::FloatingPanel& one : panels->floating)
      json["Panels"]["Floating"].push_back({{"Panel", one.panel}, {"Place", one.place}});
  if (const auto& camera = window.camera)
    json["Camera"] = {
        {"Position", toJson((*camera)[0])}, {"Focus", toJson((*camera)[1])}, {"Up", toJson((*camera)[2])}};
  return json;
}

model::SessionView viewFrom(const Json& json) {
  model::SessionView view;
  view.crosshair = vecFrom(json.at("Crosshair"));
  view.center = vecFrom(json.at("Centre"));
  view.extent = soundNumber(json.at("Extent"), view.extent);
  view.turn = turnFrom(json);
  view.radiological = json.at("Radiological").get<bool>();
  view.crosshairVisible = json.at("CrosshairVisible").get<bool>();
  view.lettersVisible = json.at("LettersVisible").get<bool>();
  view.scaleBarVisible = json.value("ScaleBarVisible", view.scaleBarVisible);
  const Json& pair = json.at("TwoImages");
  view.pairMode = named<model::ImageOverlay::Mode>(pair.at("Mode"), kPairModes);
  view.pairLower = pair.at("Lower").get<int>();
  view.pairUpper = pair.at("Upper").get<int>();
  view.pairShare = soundNumber(pair.at("Share"), 0.5);
  view.pairTile = soundNumber(pair.at("Tile"), 20);
  if (const auto rate = pair.find("Rate"); rate != pair.end())
    view.pairRate = soundNumber(*rate, view.pairRate);
  view.plot = json.at("Plot").get<std::string>();
  model::WindowLook& window = view.window;
  window.layout = json.at("Layout").get<std::string>();
  window.comparePlane = named<int>(json.at("ComparePlane"), kPlanes);
  window.compareIn3d = json.at("CompareIn3d").get<bool>();
  window.planesBesideSurfaces = json.at("PlanesBesideSurfaces").get<bool>();
  if (const auto lightbox = json.find("Lightbox"); lightbox != json.end()) {
    window.lightbox.plane = named<model::Plane>(lightbox->at("Plane"), kPlanes);
    window.lightbox.columns = std::clamp(lightbox->at("Columns").get<int>(), 1, model::LightboxLook::kMost);
    window.lightbox.rows = std::clamp(lightbox->at("Rows").get<int>(), 1, model::LightboxLook::kMost);
  }
  const Json& glyphs = json.at("Glyphs");
  window.glyphs.shape = named<scene::GlyphStyle::Shape>(glyphs.at("Shape"), kGlyphShapes);
  window.glyphs.scale = soundNumber(glyphs.at("Scale"), 1);
  window.glyphs.lineWidth = soundNumber(glyphs.at("LineWidth"), window.glyphs.lineWidth);
  if (glyphs.contains("TractWidth"))  // older sessions have none
    window.glyphs.tractWidth = soundNumber(glyphs["TractWidth"], window.glyphs.tractWidth);
  const Json& fields = json.at("Fields");
  window.fields.shape = named<scene::FieldStyle::Shape>(fields.at("Shape"), kFieldShapes);
  window.fields.color = named<scene::FieldStyle::Color>(fields.at("Color"), kFieldColors);
  window.fields.every = std::clamp(fields.at("Every").get<int>(), 0, 100);
  window.fields.withoutAffine = fields.at("WithoutAffine").get<bool>();
  if (const auto look = json.find("Scene"); look != json.end()) {
    window.scene.background = named<scene::SceneStyle::Background>(look->at("Background"), kBackgrounds);
    window.scene.light = std::clamp(soundNumber(look->at("Light"), 1), 0.1, 3.0);
  }
  if (const auto detached = json.find("Detached"); detached != json.end())
    for (const Json& one : *detached)
      window.detached.push_back(
          {named<int>(one.at("View"), kViews), one.at("Place").get<std::array<int, 4>>()});
  if (const auto unlinked = json.find("Unlinked"); unlinked != json.end())
    for (const Json& one : *unlinked)
      window.unlinked.push_back({named<model::Plane>(one.at("Plane"), kPlanes), vecFrom(one.at("Crosshair")),
                                 vecFrom(one.at("Centre")), soundNumber(one.at("Extent"), view.extent),
                                 turnFrom(one)});
  if (const auto found = json.find("Panels"); found != json.end()) {
    const auto size = [&found](const char* key) {
      return int(std::clamp(soundNumber(found->at(key), 0), 0.0, kWidestPanel));
    };
    window.panels = {found->at("Layers").get<bool>(),
                     found->at("Analysis").get<bool>(),
                     found->at("Lower").get<bool>(),
                     size("LayersWidth"),
                     size("AnalysisWidth"),
                     found->at("LowerPage").get<std::string>(),
                     found->at("LowerFolded").get<bool>(),
                     size("LowerHeight"),
                     {}};
    if (const auto floating = found->find("Floating"); floating != found->end())
      for (const Json& one : *floating)
        window.panels->floating.push_back(
            {one.at("Panel").get<std::string>(), one.at("Place").get<std::array<int, 4>>()});
  }
  if (const auto camera = json.find("Camera"); camera != json.end())
    window.camera = {vecFrom(camera->at("Position")), vecFrom(camera->at("Focus")),
                     vecFrom(camera->at("Up"))};
  return view;
}

}  // namespace sulcus::ui::jobs
