#pragma once

#include "core/image/grids/slice_turn.h"
#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/run.h"
#include "ui/model/views/lightbox.h"
#include "ui/scene/glyphs/field_style.h"
#include "ui/scene/glyphs/glyph_style.h"
#include "ui/scene/scene_style.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// A view that stands in a window of its own.
struct DetachedView {
  int view = 0;                ///< as Plane; 3: the 3D view
  std::array<int, 4> place{};  ///< left, top, width and height on the screen

  friend bool operator==(const DetachedView&, const DetachedView&) = default;
};

/// A view that does not follow the others, and where it looks.
struct UnlinkedView {
  Plane plane = Plane::axial;
  Vec3<double> crosshair, center;
  double extent = 200;
  SliceTurn turn;

  friend bool operator==(const UnlinkedView&, const UnlinkedView&) = default;
};

/// A panel that stands in a window of its own.
struct FloatingPanel {
  std::string panel;           ///< layers, analysis or lower
  std::array<int, 4> place{};  ///< left, top, width and height on the screen

  friend bool operator==(const FloatingPanel&, const FloatingPanel&) = default;
};

/// How the panels around the views stand. Sizes in pixels as the desktop counts them.
struct PanelsLook {
  bool layers = true, analysis = true, lower = true;  ///< whether they are there
  int layersWidth = 0, analysisWidth = 0;
  std::string lowerPage;    ///< whose tab is in front
  bool lowerFolded = true;  ///< down to the row of tabs
  int lowerHeight = 0;      ///< when it is open; 0: never yet
  std::vector<FloatingPanel> floating;

  friend bool operator==(const PanelsLook&, const PanelsLook&) = default;
};

/// The part of a session's view that only the window knows.
struct WindowLook {
  std::string layout = "grid";  ///< of the views
  int comparePlane = 0;         ///< as model::Plane
  bool compareIn3d = false, planesBesideSurfaces = false;
  LightboxLook lightbox;
  scene::GlyphStyle glyphs;
  scene::FieldStyle fields;
  scene::SceneStyle scene;
  std::optional<std::array<Vec3<double>, 3>> camera;  ///< position, focus and up of the 3D view, mm RAS+
  std::vector<DetachedView> detached;
  std::vector<UnlinkedView> unlinked;
  std::optional<PanelsLook> panels;  ///< none: as they are

  friend bool operator==(const WindowLook&, const WindowLook&) = default;
};

/// Where the views look. Moving about is no change that undo takes back.
struct SessionView {
  Vec3<double> crosshair, center;
  double extent = 200;
  SliceTurn turn;
  bool radiological = true, crosshairVisible = true, lettersVisible = true, scaleBarVisible = true;
  ImageOverlay::Mode pairMode = ImageOverlay::Mode::off;
  LayerId pairLower = 0, pairUpper = 0;
  double pairShare = 0.5, pairTile = 20, pairRate = 1.5;
  std::string plot;  ///< in front
  WindowLook window;

  friend bool operator==(const SessionView&, const SessionView&) = default;
};

/// What is open and what has been chosen: one state of a session. It shares the contents of its layers, which
/// never change, so a copy costs little and may be handed to a worker. Undo keeps such states, a session file
/// holds one.
struct SessionState {
  std::vector<LayerState> layers;  ///< bottom to top, without previews
  LayerId current = 0;
  std::map<std::string, AnalysisPresenter::Choices> choices;  ///< by the name of the analysis
  std::string analysis;                                       ///< whose tab is in front
  RunsState runs;
  SessionView view;
};

/// What is chosen, without the values that a form shows because a finished result has them: those of the run
/// in view, or of any while none is.
std::map<std::string, AnalysisPresenter::Choices> choicesOf(const SessionState& state);

/// Whether undo has nothing to tell between two states: what is selected, in front, saved or looked at does
/// not count.
bool sameWork(const SessionState& a, const SessionState& b);

/// Gives layers and runs ids without gaps from these on, in their order: those of a file may be taken here,
/// and a file whose ids grew whenever it was opened and saved would hold too great ones one day.
void renumber(SessionState& state, LayerId firstLayer, int firstRun);

}  // namespace sulcus::ui::model
