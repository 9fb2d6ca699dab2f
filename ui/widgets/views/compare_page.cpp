#include "ui/widgets/views/compare_page.h"

#include "ui/model/text/localize.h"
#include "ui/widgets/controls/widget_help.h"

#include <QGridLayout>
#include <QResizeEvent>
#include <algorithm>
#include <iterator>

namespace sulcus::ui::widgets {
namespace {

int sideInRow(QSize room) { return std::min(room.width() / 3, room.height()); }
int sideInTwoRows(QSize room) { return std::min(room.width(), room.height()) / 2; }

}  // namespace

ComparePage::ComparePage(model::LayerStack& layers, model::ViewState& view, const scene::Styles& styles,
                         QWidget* parent)
    : QWidget(parent), layers_(layers), view_(view), styles_(styles) {
  setBackgroundRole(QPalette::Shadow);
  setAutoFillBackground(true);
  tight<QGridLayout>(this, 1);
  // Without one of the compared layers there is nothing to compare.
  connect(&layers_, &model::LayerStack::removed, this, &ComparePage::refresh);
}

void ComparePage::makeViews() {
  for (int i = 0; i < 3; ++i) {
    slices_.push_back(new SliceView(layers_, view_, plane_));
    scenes_.push_back(new View3d(layers_, view_));
    connect(slices_[i], &SliceView::hovered, this, &ComparePage::hovered);
    connect(slices_[i], &SliceView::left, this, &ComparePage::left);
  }
  for (SceneView* view : allViews()) {
    view->setStyles(styles_);
    connect(view, &SceneView::menuRequested, this, &ComparePage::menuRequested);
  }
  place(parentWidget()->size());
}

void ComparePage::place(QSize room) {
  const bool row = room.width() / 3 >= std::min(kLeastSide, sideInTwoRows(room));
  auto* grid = static_cast<QGridLayout*>(layout());
  for (int i = 0; i < 3; ++i) {
    const bool below = !row && i == 2;
    for (SceneView* view : {static_cast<SceneView*>(slices_[i]), static_cast<SceneView*>(scenes_[i])})
      if (below)
        grid->addWidget(view, 1, 0, 1, 2);
      else
        grid->addWidget(view, 0, i);
    grid->setColumnStretch(i, row || i < 2);
  }
  grid->setRowStretch(0, 1);
  grid->setRowStretch(1, !row);
}

int ComparePage::viewSide(QSize room) { return std::max(sideInRow(room), sideInTwoRows(room)); }

void ComparePage::resizeEvent(QResizeEvent* event) {
  if (!slices_.empty()) place(event->size());
  QWidget::resizeEvent(event);
}

void ComparePage::fill(const model::ComparedPtr& comparison) {
  if (slices_.empty()) makeViews();
  comparison_ = comparison;
  showLayers();
  const model::LayerState* first =
      comparison_ && !comparison_->a->layers.empty() ? layers_.find(comparison_->a->layers.front()) : nullptr;
  const bool surfaces = first && std::holds_alternative<MeshLayer>(first->layer->content);
  if (surfaces != comparedSurfaces_) in3d_ = surfaces;
  comparedSurfaces_ = surfaces;
}

void ComparePage::clear() {
  comparison_ = nullptr;
  emit cleared();
}

void ComparePage::refresh() {
  if (comparison_) showLayers();
}

void ComparePage::setIn3d(bool on) {
  in3d_ = on;
  emit changed();
}

void ComparePage::setPlane(model::Plane plane) {
  plane_ = plane;
  for (SliceView* view : slices_) view->setPlane(plane);
  emit changed();
}

void ComparePage::updateVisible() {
  for (SliceView* view : slices_) view->setVisible(!in3d_);
  for (View3d* view : scenes_) view->setVisible(in3d_);
}

std::vector<SceneView*> ComparePage::shownViews() const {
  if (in3d_) return {scenes_.begin(), scenes_.end()};
  return {slices_.begin(), slices_.end()};
}

std::vector<SceneView*> ComparePage::allViews() const {
  std::vector<SceneView*> views(slices_.begin(), slices_.end());
  views.insert(views.end(), scenes_.begin(), scenes_.end());
  return views;
}

std::vector<model::LayerId> ComparePage::anatomy() const {
  for (const auto& slot : comparison_->a->analysis->inputs) {
    const auto chosen = comparison_->a->inputIds.find(slot.name);
    if (chosen == comparison_->a->inputIds.end() || slot.name == "truth") continue;
    const model::LayerState* state = layers_.find(chosen->second);
    if (!state || !std::holds_alternative<VolumeLayer>(state->layer->content)) continue;
    if (state->display.colormap == Display().colormap) return {state->id};
  }
  return {};
}

std::vector<model::LayerId> ComparePage::above(std::vector<model::LayerId> base,
                                               const std::vector<model::LayerId>& ofRun) const {
  const std::size_t below = base.size();
  std::copy_if(ofRun.rbegin(), ofRun.rend(), std::back_inserter(base), [this](model::LayerId id) {
    const model::LayerState* state = layers_.find(id);
    return state && state->layer->display.visible;
  });
  if (base.size() == below && !ofRun.empty() && layers_.find(ofRun.front())) base.push_back(ofRun.front());
  return base;
}

QString ComparePage::differenceTitle(const model::LayerState& difference) const {
  const QString unit = model::words(difference.layer->unit);
  // A short unit is written after the value; a long one would cover the letter A, and the color bar shows it.
  if (unit.isEmpty() || unit.size() >= 5) return tr("Difference");
  return tr("Difference") + QStringLiteral(" (%1)").arg(unit);
}

void ComparePage::showLayers() {
  const std::vector<model::LayerId> base = anatomy();
  const auto firstLayer = [](const model::Run& run) { return run.layers.empty() ? 0 : run.layers.front(); };
  const model::LayerId tops[] = {firstLayer(*comparison_->a), firstLayer(*comparison_->b)};
  if (!layers_.find(tops[0]) && !layers_.find(tops[1])) return clear();
  std::vector<model::LayerId> shownIn[] = {
      above(base, comparison_->a->layers), above(base, comparison_->b->layers), {}};
  for (std::size_t i = 0; i < 2; ++i)
    if (layers_.find(comparison_->maps[i])) {
      shownIn[i] = base;
      shownIn[i].push_back(comparison_->maps[i]);
    }
  QString titles[] = {comparison_->a->title, comparison_->b->title, tr("No map of differences")};
  if (const model::LayerState* difference = layers_.find(comparison_->difference)) {
    shownIn[2] = above(base, {comparison_->difference});
    titles[2] = differenceTitle(*difference);
  }
  for (int i = 0; i < 3; ++i) {
    slices_[i]->setTitle(titles[i]);
    scenes_[i]->setTitle(titles[i]);
    scenes_[i]->setShownLayers(shownIn[i]);
  }
  if (layers_.find(comparison_->before)) {
    // Their common initial state replaces the difference in 3D, and is an outline in the slices.
    const std::vector<model::LayerId> before{comparison_->before};
    const std::vector<model::LayerId>* const scenes[] = {&before, &shownIn[0], &shownIn[1]};
    const QString names[] = {tr("Input"), titles[0], titles[1]};
    for (int i = 0; i < 3; ++i) {
      scenes_[i]->setTitle(names[i]);
      scenes_[i]->setShownLayers(*scenes[i]);
    }
    for (int i = 0; i < 2; ++i) {
      shownIn[i].push_back(comparison_->before);
      shownIn[2].push_back(tops[i]);
    }
  }
  for (int i = 0; i < 3; ++i) slices_[i]->setShownLayers(shownIn[i]);
}

}  // namespace sulcus::ui::widgets
