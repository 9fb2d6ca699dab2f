// The compare layout of ViewArea.
#include "ui/model/text/localize.h"
#include "ui/widgets/views/view_area.h"

#include <QGridLayout>
#include <QResizeEvent>
#include <QStackedWidget>
#include <algorithm>
#include <iterator>

namespace sulcus::ui::widgets {
namespace {

int sideInRow(QSize room) { return std::min(room.width() / 3, room.height()); }
int sideInTwoRows(QSize room) { return std::min(room.width(), room.height()) / 2; }

}  // namespace

void ViewArea::makeCompare() {
  comparePage_ = new QWidget;
  comparePage_->setBackgroundRole(QPalette::Shadow);
  comparePage_->setAutoFillBackground(true);
  auto* grid = new QGridLayout(comparePage_);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(1);
  for (int i = 0; i < 3; ++i) {
    compareSlices_[i] = new SliceView(layers_, view_, comparePlane_);
    compareScenes_[i] = new View3d(layers_, view_);
    connect(compareSlices_[i], &SliceView::hovered, this, &ViewArea::hovered);
    connect(compareSlices_[i], &SliceView::left, this, &ViewArea::left);
    compareSlices_[i]->setGlyphStyle(glyphs_);
    compareScenes_[i]->setGlyphStyle(glyphs_);
    compareSlices_[i]->setFieldStyle(fields_);
    compareScenes_[i]->setFieldStyle(fields_);
    compareScenes_[i]->setPlanesBesideSurfaces(planesBesideSurfaces_);
    compareScenes_[i]->setSceneStyle(sceneStyle_);
  }
  placeCompared(pages_->size());
  comparePage_->installEventFilter(this);
  pages_->addWidget(comparePage_);
}

void ViewArea::placeCompared(QSize room) {
  const bool row = room.width() / 3 >= std::min(kLeastCompared, sideInTwoRows(room));
  auto* grid = static_cast<QGridLayout*>(comparePage_->layout());
  for (int i = 0; i < 3; ++i) {
    const bool below = !row && i == 2;
    for (SceneView* view :
         {static_cast<SceneView*>(compareSlices_[i]), static_cast<SceneView*>(compareScenes_[i])})
      grid->addWidget(view, below, below ? 0 : i, 1, below ? 2 : 1);
    grid->setColumnStretch(i, row || i < 2);
  }
  grid->setRowStretch(0, 1);
  grid->setRowStretch(1, !row);
}

int ViewArea::comparedSide(QSize room) { return std::max(sideInRow(room), sideInTwoRows(room)); }

bool ViewArea::eventFilter(QObject* watched, QEvent* event) {
  if (watched == comparePage_ && event->type() == QEvent::Resize)
    placeCompared(static_cast<QResizeEvent*>(event)->size());
  return QWidget::eventFilter(watched, event);
}

void ViewArea::showComparison(const model::ComparedPtr& comparison) {
  if (!comparePage_) makeCompare();
  comparison_ = comparison;
  fillCompare();
  // Surfaces are shown in 3D, everything else as slices, until the user changes it.
  const model::LayerState* first =
      comparison_ && !comparison_->a->layers.empty() ? layers_.find(comparison_->a->layers.front()) : nullptr;
  const bool surfaces = first && std::holds_alternative<MeshLayer>(first->layer->content);
  if (surfaces != comparedSurfaces_) compare3d_ = surfaces;
  comparedSurfaces_ = surfaces;
  setLayoutShown(ViewLayout::compare);
}

void ViewArea::closeComparison() {
  comparison_ = nullptr;
  setLayoutShown(layout_ == ViewLayout::compare ? ViewLayout::grid : layout_);
}

void ViewArea::refreshComparison() {
  if (comparison_) fillCompare();
}

void ViewArea::fillCompare() {
  // The anatomy is below both results: the first input that is a scan, not a color map.
  std::vector<model::LayerId> base;
  for (const auto& slot : comparison_->a->analysis->inputs) {
    const auto chosen = comparison_->a->inputIds.find(slot.name);
    if (chosen == comparison_->a->inputIds.end() || slot.name == "truth") continue;
    const model::LayerState* state = layers_.find(chosen->second);
    if (!state || !std::holds_alternative<VolumeLayer>(state->layer->content)) continue;
    if (state->display.colormap != Display().colormap) continue;
    base.push_back(state->id);
    break;
  }
  // Above it is what a run shows by itself: the layers that request to be visible, or its first one.
  const auto shown = [&](const std::vector<model::LayerId>& ofRun) {
    const auto asks = [this](model::LayerId id) {
      const model::LayerState* state = layers_.find(id);
      return state && state->layer->display.visible;
    };
    std::vector<model::LayerId> ids = base;
    std::copy_if(ofRun.rbegin(), ofRun.rend(), std::back_inserter(ids), asks);
    if (ids.size() == base.size() && !ofRun.empty() && layers_.find(ofRun.front()))
      ids.push_back(ofRun.front());
    return ids;
  };
  const auto firstLayer = [](const model::Run& run) { return run.layers.empty() ? 0 : run.layers.front(); };
  const model::LayerId tops[] = {firstLayer(*comparison_->a), firstLayer(*comparison_->b),
                                 comparison_->difference};
  std::vector<model::LayerId> shownIn[] = {shown(comparison_->a->layers), shown(comparison_->b->layers),
                                           shown({comparison_->difference})};
  if (!layers_.find(tops[0]) && !layers_.find(tops[1])) return closeComparison();
  for (std::size_t i = 0; i < 2; ++i)
    if (layers_.find(comparison_->maps[i])) {
      shownIn[i] = base;
      shownIn[i].push_back(comparison_->maps[i]);
    }
  const QString titleA = comparison_->a->title, titleB = comparison_->b->title;
  QString titles[] = {titleA, titleB, tr("Difference")};
  // A short unit is written after the value; a long one would cover the letter A, and the color bar shows it.
  if (const model::LayerState* difference = layers_.find(tops[2])) {
    if (const QString unit = model::words(difference->layer->unit); !unit.isEmpty() && unit.size() < 5)
      titles[2] += QStringLiteral(" (%1)").arg(unit);
  } else {
    titles[2] = tr("No map of differences");
    shownIn[2].clear();
  }
  for (int i = 0; i < 3; ++i) {
    compareSlices_[i]->setTitle(titles[i]);
    compareScenes_[i]->setTitle(titles[i]);
    compareScenes_[i]->setShownLayers(shownIn[i]);
  }
  if (layers_.find(comparison_->before)) {
    // Their common initial state replaces the difference in 3D, and is an outline in the slices.
    const std::vector<model::LayerId> before{comparison_->before};
    const std::vector<model::LayerId>* const scenes[] = {&before, &shownIn[0], &shownIn[1]};
    const QString names[] = {tr("Input"), titleA, titleB};
    for (int i = 0; i < 3; ++i) {
      compareScenes_[i]->setTitle(names[i]);
      compareScenes_[i]->setShownLayers(*scenes[i]);
    }
    for (int i = 0; i < 2; ++i) {
      shownIn[i].push_back(comparison_->before);
      shownIn[2].push_back(tops[i]);
    }
  }
  for (int i = 0; i < 3; ++i) compareSlices_[i]->setShownLayers(shownIn[i]);
}

}  // namespace sulcus::ui::widgets
