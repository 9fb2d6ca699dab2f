#pragma once

#include "ui/model/layer_stack.h"
#include "ui/scene/field_style.h"
#include "ui/scene/glyph_style.h"

#include <QWidget>
#include <functional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QToolButton;

namespace sulcus::ui {

class NumberEdit;

/// How the current layer is drawn: opacity, colors, range, thresholds, volume; and its orientation card.
class LayerProperties : public QWidget {
  Q_OBJECT
 public:
  /// `layers` must outlive this.
  explicit LayerProperties(LayerStack& layers, QWidget* parent = nullptr);

 signals:
  /// How fiber directions are to be drawn, in every view.
  void glyphStyleChanged(const sulcus::ui::GlyphStyle& style);
  /// How displacement fields are to be drawn, in every view.
  void fieldStyleChanged(const sulcus::ui::FieldStyle& style);
  /// The file of this field is to be read by another convention.
  void conventionChosen(sulcus::ui::LayerId id, sulcus::FieldConvention convention);
  /// The current layer is a table and is to be seen.
  void tableRequested();

 private:
  void buildOpacity();
  void buildColors();
  void buildRange();
  void buildThreshold(const QString& label, QCheckBox*& box, NumberEdit*& edit,
                      std::optional<double> Display::*member);
  void buildVolume();
  void buildGlyphs();
  void buildField();
  void buildScalars();
  void show();
  void showScalars(const LayerState& state);
  void showCard(const LayerState& state);
  void change(const std::function<void(Display&)>& edit);
  void setRowVisible(QWidget* field, bool visible);

  LayerStack& layers_;
  QFormLayout* form_ = nullptr;
  QLabel *title_ = nullptr, *card_ = nullptr, *cardTitle_ = nullptr, *volumeName_ = nullptr;
  QPushButton* table_ = nullptr;
  QSlider *opacity_ = nullptr, *volume_ = nullptr;
  QSpinBox *opacityValue_ = nullptr, *volumeValue_ = nullptr;
  QComboBox *colormap_ = nullptr, *glyphs_ = nullptr, *fieldShape_ = nullptr, *fieldColor_ = nullptr,
            *convention_ = nullptr, *scalars_ = nullptr;
  QSpinBox* fieldEvery_ = nullptr;
  NumberEdit *low_ = nullptr, *glyphScale_ = nullptr, *high_ = nullptr, *below_ = nullptr, *above_ = nullptr;
  QCheckBox *hideBelow_ = nullptr, *hideAbove_ = nullptr, *interpolate_ = nullptr, *colorBar_ = nullptr,
            *withoutAffine_ = nullptr;
  QWidget *opacityRow_ = nullptr, *rangeRow_ = nullptr, *belowRow_ = nullptr, *aboveRow_ = nullptr,
          *volumeRow_ = nullptr, *body_ = nullptr;
  std::shared_ptr<const Mesh> cardMesh_;  ///< whose card was made last
  bool cardMeshClosed_ = false;
};

}  // namespace sulcus::ui
