#pragma once

#include "core/image/grids/slice_turn.h"
#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/layers/image_overlay.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/run.h"
#include "ui/model/views/lightbox.h"
#include "ui/scene/styles.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// A view in a separate window.
struct DetachedView {
  int view = 0;                ///< as Plane; 3: the 3D view
  std::array<int, 4> place{};  ///< left, top, width and height on the screen

  friend bool operator==(const DetachedView&, const DetachedView&) = default;
};

/// A view that does not follow the others, and its position.
struct UnlinkedView {
  Plane plane = Plane::axial;
  Vec3<double> crosshair, center;
  double extent = 200;
  SliceTurn turn;

  friend bool operator==(const UnlinkedView&, const UnlinkedView&) = default;
};

/// A panel in a separate window.
struct FloatingPanel {
  std::string panel;           ///< layers, analysis or lower
  std::array<int, 4> place{};  ///< left, top, width and height on the screen

  friend bool operator==(const FloatingPanel&, const FloatingPanel&) = default;
};

/// The layout of the panels around the views. Sizes are in the desktop's logical pixels.
struct PanelsLook {
  bool layers = true, analysis = true, lower = true;  ///< whether they are visible
  int layersWidth = 0, analysisWidth = 0;
  std::string lowerPage;    ///< the tab in front
  bool lowerFolded = true;  ///< folded to the row of tabs
  int lowerHeight = 0;      ///< when open; 0: it has never been opened
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
  std::optional<PanelsLook> panels;  ///< none: leave unchanged

  friend bool operator==(const WindowLook&, const WindowLook&) = default;
};

/// The view positions. Navigation is not a change that undo reverts.
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

/// Everything that is open and chosen: one state of a session. It shares the contents of its layers, which
/// never change, so a copy is cheap and may be passed to a worker. Undo keeps such states, and a session file
/// stores one.
struct SessionState {
  std::vector<LayerState> layers;  ///< bottom to top, without previews
  LayerId current = 0;
  std::map<std::string, AnalysisPresenter::Choices> choices;  ///< by the name of the analysis
  std::string analysis;                                       ///< the tab in front
  RunsState runs;
  SessionView view;
};

/// The choices, without values that a form shows only because a finished result has them: those of the
/// selected run, or of any run if none is selected.
std::map<std::string, AnalysisPresenter::Choices> choicesOf(const SessionState& state);

/// Whether undo has nothing to do between two states: selection, the tab in front, saving and view position
/// do not count.
bool sameWork(const SessionState& a, const SessionState& b);

/// Renumbers layers and runs without gaps from these ids on, in order: ids from a file may already be in use
/// here, and ids that grew each time a file was opened and saved would eventually become too large.
void renumber(SessionState& state, LayerId firstLayer, int firstRun);

}  // namespace sulcus::ui::model
