#pragma once

#include "ui/model/layers/image_overlay.h"
#include "ui/model/views/lightbox.h"
#include "ui/model/views/view_state.h"
#include "ui/widgets/views/view_layout.h"

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QSpinBox;
class QToolButton;

namespace sulcus::ui::widgets {

/// The strip above the views: their layouts, and tools for what is shown.
class ViewStrip : public QWidget {
  Q_OBJECT
 public:
  /// What it shows as chosen.
  struct State {
    ViewLayout layout = ViewLayout::grid;
    bool canCompare = false, compareIn3d = false, planesBesideSurfaces = false;
    model::LightboxLook lightbox;
  };

  /// `pair` must outlive this.
  explicit ViewStrip(model::ImageOverlay& pair, QWidget* parent = nullptr);

  void setState(const State& state);
  /// Shows as much as fits into this width; tools that do not fit are also in the menu.
  void fit(int width);

 signals:
  void layoutChosen(ViewLayout layout);
  void compareIn3dChosen(bool on);
  void planeChosen(model::Plane plane);
  void lightboxLookChosen(const model::LightboxLook& look);
  void planesBesideSurfacesChosen(bool on);
  void sideChosen(char side);  ///< from which 3D views look

 private:
  QWidget* makeCompareTools();
  QWidget* makeLightboxTools();
  QSpinBox* makeCount(const char* name, const QString& label, int model::LightboxLook::*member);
  void addPairButton();
  QWidget* makeSceneTools();
  /// The tools of the lightbox are in the row of the layouts, or below it.
  void setLightboxToolsBelow(bool below);
  /// How much of the strip is shown: all names, those of few layouts, only icons, only what is essential.
  enum class Room { full, less, icons, least };
  /// Shows so much; returns the width that it takes.
  int show(Room room);
  /// Shows as much as fits; returns whether even the least does.
  bool fitIn(int width);

  model::ImageOverlay& pair_;
  State state_;
  QButtonGroup *layoutButtons_, *dimension_, *lightboxPlane_;
  QHBoxLayout* row_;       ///< with the layouts
  int lightboxPlace_ = 0;  ///< position of the lightbox tools in it
  QWidget *compareTools_, *lightboxTools_, *sceneTools_;
  QSpinBox *lightboxColumns_, *lightboxRows_;
  QToolButton *planes_, *pairButton_;
};

}  // namespace sulcus::ui::widgets
