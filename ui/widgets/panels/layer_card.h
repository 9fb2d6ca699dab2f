#pragma once

#include "ui/model/layers/layer_stack.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace sulcus::ui::widgets {

/// The orientation card of a layer: its warnings, one line, and below it four rows and other known facts,
/// which are folded initially.
class LayerCard : public QWidget {
  Q_OBJECT
 public:
  /// `analyses` must outlive this.
  explicit LayerCard(const std::vector<Analysis>& analyses, QWidget* parent = nullptr);

  void show(const model::LayerState& state);
  void fold();

 private:
  static constexpr int kRows = 4;

  const std::vector<Analysis>& analyses_;
  QLabel *warnings_ = nullptr, *others_ = nullptr;
  QToolButton* line_ = nullptr;
  QLabel *names_[kRows] = {}, *values_[kRows] = {};
  std::shared_ptr<const Mesh> mesh_;  ///< of the layer shown last
  bool isMeshClosed_ = false;
};

}  // namespace sulcus::ui::widgets
