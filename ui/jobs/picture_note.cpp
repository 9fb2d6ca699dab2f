#include "ui/jobs/picture_note.h"

#include "core/analysis/command_line.h"
#include "core/base/provenance.h"
#include "core/io/streams/file_json.h"

namespace sulcus::ui::jobs {

using nlohmann::ordered_json;

namespace {

ordered_json begunNote() {
  ordered_json json = ordered_json::object();
  json["GeneratedBy"] = ordered_json::array({{{"Name", "Sulcus"}, {"Version", sulcusVersion()}}});
  json["Created"] = utcNow();
  return json;
}

/// How a layer is shown.
ordered_json layerNote(const model::LayerState& layer, const std::vector<model::LayerState>& all) {
  const Display& display = layer.display;
  ordered_json note = ordered_json::object();
  note["Name"] = layer.name.toStdString();
  if (!layer.layer->source.empty()) note["File"] = layer.layer->source;
  if (layer.layer->provenance) note["CommandLine"] = layer.layer->provenance->commandLine;
  if (!layer.layer->unit.empty()) note["Units"] = layer.layer->unit;
  const auto* volume = std::get_if<VolumeLayer>(&layer.layer->content);
  if (volume && volume->series->count > 1) note["Volume"] = layer.volume;
  note["Colormap"] = display.colormap;
  if (!display.negativeColormap.empty()) note["NegativeColormap"] = display.negativeColormap;
  if (display.range) note["Range"] = {display.range->low, display.range->high};
  if (display.hideBelow) note["HideBelow"] = *display.hideBelow;
  if (display.hideAbove) note["HideAbove"] = *display.hideAbove;
  if (display.fade) note["Fade"] = true;
  note["Opacity"] = display.opacity;
  const auto by = std::ranges::find(all, layer.opacityBy, &model::LayerState::id);
  if (by != all.end()) note["OpacityBy"] = by->name.toStdString();
  return note;
}

}  // namespace

std::string plotNote(const std::string& name, const std::vector<model::RunPtr>& runs) {
  ordered_json json = begunNote();
  json["Plot"] = name;
  ordered_json& of = json["Runs"] = ordered_json::array();
  for (const model::RunPtr& run : runs)
    of.push_back(
        {{"Name", run->title.toStdString()},
         {"CommandLine", commandLine(*run->analysis, run->inputs, run->options, model::backendFlag(*run))}});
  return io::jsonText(json);
}

std::string pictureNote(const model::SessionState& state) {
  ordered_json json = begunNote();
  ordered_json& layers = json["Layers"] = ordered_json::array();
  for (const model::LayerState& layer : state.layers)
    if (layer.display.visible) layers.push_back(layerNote(layer, state.layers));
  const model::SessionView& view = state.view;
  json["Layout"] = view.window.layout;
  json["Crosshair"] = {view.crosshair.x, view.crosshair.y, view.crosshair.z};
  if (view.turn != SliceTurn())
    for (const Vec3<double>& normal : view.turn.axes)
      json["Normals"].push_back({normal.x, normal.y, normal.z});
  json["CoordinateSpace"] = "RAS+ mm";
  json["Radiological"] = view.radiological;
  return io::jsonText(json);
}

}  // namespace sulcus::ui::jobs
