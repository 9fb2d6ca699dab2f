// The view of a session, as JSON.
#include "ui/jobs/session_json.h"

#include <array>

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

}  // namespace

template <class Fields>
void visitFields(Fields& fields, Of<model::LightboxLook> auto& lightbox) {
  fields.oneOf("Plane", lightbox.plane, kPlanes);
  fields.within("Columns", lightbox.columns, 1, int(model::LightboxLook::kMost));
  fields.within("Rows", lightbox.rows, 1, int(model::LightboxLook::kMost));
}

template <class Fields>
void visitFields(Fields& fields, Of<scene::GlyphStyle> auto& style) {
  fields.oneOf("Shape", style.shape, kGlyphShapes);
  fields.sound("Scale", style.scale);
  fields.sound("LineWidth", style.lineWidth);
  if (fields.has("TractWidth")) fields.sound("TractWidth", style.tractWidth);  // older sessions have none
}

template <class Fields>
void visitFields(Fields& fields, Of<scene::FieldStyle> auto& style) {
  fields.oneOf("Shape", style.shape, kFieldShapes);
  fields.oneOf("Color", style.color, kFieldColors);
  fields.within("Every", style.every, 0, 100);
  fields("WithoutAffine", style.withoutAffine);
}

template <class Fields>
void visitFields(Fields& fields, Of<scene::SceneStyle> auto& style) {
  fields.oneOf("Background", style.background, kBackgrounds);
  fields.sound("Light", style.light, 0.1, 3);
}

template <class Fields>
void visitFields(Fields& fields, Of<model::DetachedView> auto& view) {
  fields.oneOf("View", view.view, kViews);
  fields("Place", view.place);
}

template <class Fields>
void visitFields(Fields& fields, Of<model::UnlinkedView> auto& view) {
  fields.oneOf("Plane", view.plane, kPlanes);
  fields("Crosshair", view.crosshair);
  fields("Centre", view.center);
  fields.sound("Extent", view.extent);
  fields.ifSet("Turn", view.turn);
}

template <class Fields>
void visitFields(Fields& fields, Of<model::FloatingPanel> auto& panel) {
  fields("Panel", panel.panel);
  fields("Place", panel.place);
}

template <class Fields>
void visitFields(Fields& fields, Of<model::PanelsLook> auto& panels) {
  fields("Layers", panels.layers);
  fields.sound("LayersWidth", panels.layersWidth, 0, kWidestPanel);
  fields("Analysis", panels.analysis);
  fields.sound("AnalysisWidth", panels.analysisWidth, 0, kWidestPanel);
  fields("Lower", panels.lower);
  fields("LowerPage", panels.lowerPage);
  fields("LowerFolded", panels.lowerFolded);
  fields.sound("LowerHeight", panels.lowerHeight, 0, kWidestPanel);
  fields.ifSet("Floating", panels.floating);
}

template <class Fields>
void visitFields(Fields& fields, Of<std::array<Vec3<double>, 3>> auto& camera) {
  fields("Position", camera[0]);
  fields("Focus", camera[1]);
  fields("Up", camera[2]);
}

template <class Fields>
void visitFields(Fields& fields, Of<model::SessionView> auto& view) {
  fields("Crosshair", view.crosshair);
  fields("Centre", view.center);
  fields.sound("Extent", view.extent);
  fields.ifSet("Turn", view.turn);
  fields("Radiological", view.radiological);
  fields("CrosshairVisible", view.crosshairVisible);
  fields("LettersVisible", view.lettersVisible);
  fields.later("ScaleBarVisible", view.scaleBarVisible);
  fields.group("TwoImages", [&view](auto& pair) {
    pair.oneOf("Mode", view.pairMode, kPairModes);
    pair("Lower", view.pairLower);
    pair("Upper", view.pairUpper);
    pair.sound("Share", view.pairShare);
    pair.sound("Tile", view.pairTile);
    if (pair.has("Rate")) pair.sound("Rate", view.pairRate);
  });
  fields("Plot", view.plot);
  auto& window = view.window;
  fields("Layout", window.layout);
  fields.oneOf("ComparePlane", window.comparePlane, kPlanes);
  fields("CompareIn3d", window.compareIn3d);
  fields("PlanesBesideSurfaces", window.planesBesideSurfaces);
  fields.later("Lightbox", window.lightbox);
  fields("Glyphs", window.glyphs);
  fields("Fields", window.fields);
  fields.later("Scene", window.scene);
  fields.ifSet("Detached", window.detached);
  fields.ifSet("Unlinked", window.unlinked);
  fields.ifSet("Panels", window.panels);
  fields.ifSet("Camera", window.camera);
}

Json toJson(const model::SessionView& view) {
  FieldWriter fields;
  visitFields(fields, view);
  return std::move(fields.json);
}

model::SessionView viewFrom(const Json& json) { return readAs<model::SessionView>(json); }

}  // namespace sulcus::ui::jobs
