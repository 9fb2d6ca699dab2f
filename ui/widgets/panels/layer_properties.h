#pragma once

#include "ui/model/choices/findings.h"
#include "ui/model/choices/left_out_volumes.h"
#include "ui/model/layers/label_lists.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/series_player.h"
#include "ui/scene/styles.h"

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;

namespace sulcus::ui::widgets {

class FindingNotice;
class LabelList;
class LayerCard;
class RangeHistogram;

/// The features of a layer that determine which property rows it has.
struct LayerTraits {
  bool drawn = false;       ///< drawn at a position: not a table or curves
  bool series = false;      ///< an image of several volumes
  bool volumeText = false;  ///< the current volume has a name or a gradient
  bool leavable = false;    ///< input of an analysis that can leave volumes out
  bool colormapped =
      false;           ///< values of an image, lengths of a field or scalars of a surface are shown as colors
  bool signs = false;  ///< these may be negative
  bool voxelValues = false;  ///< voxel by voxel: an image, or a field by its length
  bool planes = false;       ///< drawn on planes pixel by pixel: an image, labels, or a field by its length
  bool volume = false;       ///< an image
  bool solid = false;        ///< a body in 3D or a surface
  bool peaks = false;
  bool glyphShapes = false;  ///< peaks that can be drawn as sticks; functions alone are always lobes
  bool field = false;
  bool fieldLines = false;  ///< a field drawn as a grid or as arrows
  bool fieldFile = false;   ///< a field that was read from a file
  bool scalars = false;     ///< a surface with values at its points
  bool labels = false;      ///< an image of labels
  bool tracts = false;
  bool anyLabels = false;  ///< that, or a surface colored by labels of its points
};

/// The display of the current layer: opacity, colors, range, thresholds, volume; and its orientation card.
class LayerProperties : public QWidget {
  Q_OBJECT
 public:
  /// All must outlive this.
  LayerProperties(model::LayerStack& layers, model::SeriesPlayer& player, model::Findings& findings,
                  model::LabelLists& lists, model::LeftOutVolumes& leftOut,
                  const std::vector<Analysis>& analyses);

  /// The list of the labels of the current layer.
  LabelList& labels() { return *labels_; }
  /// Sets how directions and fields are drawn, as if the user had.
  void setStyles(const scene::GlyphStyle& glyphs, const scene::FieldStyle& fields);

 signals:
  /// How to draw fiber directions, in every view.
  void glyphStyleChanged(const scene::GlyphStyle& style);
  /// How to draw displacement fields, in every view.
  void fieldStyleChanged(const scene::FieldStyle& style);
  /// The file of this field should be read by another convention.
  void conventionChosen(model::LayerId id, FieldConvention convention);
  /// The layer should be reinterpreted.
  void reinterpretationChosen(model::LayerId id, const Reinterpretation& reinterpretation);
  /// A label of the current layer was selected: its middle, mm, RAS+.
  void placeChosen(const sulcus::Vec3<double>& world);
  /// The current layer is a table and should be shown.
  void tableRequested();
  /// The current volume should be excluded from the analyses, or included again.
  void leaveOutRequested();

 private:
  using ShowLayer = std::function<void(const model::LayerState&)>;
  struct Row {
    QWidget* field;
    bool LayerTraits::*wanted;  ///< the row exists for layers that have this
    ShowLayer show;  ///< puts the layer's values into the field; empty if they do not belong to one layer
  };

  void addVolume();
  void addPlayer();
  void addLeftOut();
  void addOpacity();
  void addOpacityBy();
  void addGlyphs();
  void addField();
  void addScalars();
  void addTracts();
  void addCut();
  void addLabels(model::LabelLists& lists);
  void addColors();
  void addRange();
  /// Handles for range and thresholds on the histogram of the current volume.
  void addHistogram();
  void addThreshold(const char* name, const QString& label, std::optional<double> Display::*limit,
                    double Range::*otherwise);
  void addSwitch(const char* name, const QString& label, bool Display::*on, bool LayerTraits::*wanted);
  /// `label` may be empty: the field spans the row. Its height must not depend on its width: when such rows
  /// are hidden and shown, the form of Qt 6.4 writes beyond the end of its array.
  void addRow(const QString& label, QWidget* field, bool LayerTraits::*wanted, ShowLayer show = {});
  LayerTraits traitsOf(const model::LayerState& state) const;
  void show();
  /// Changes the display of the current layer, unless it is being shown.
  void change(const std::function<void(Display&)>& edit);
  void change(model::LayerId id, const std::function<void(Display&)>& edit);
  void setVolume(int volume);

  model::LayerStack& layers_;
  model::SeriesPlayer& player_;
  model::Findings& findings_;
  model::LeftOutVolumes& leftOut_;
  std::vector<Row> rows_;
  bool outdated_ = false;  ///< since the start of changes that belong together
  bool showing_ = false;   ///< fields are being filled: their signals are not choices of the user
  QFormLayout* form_ = nullptr;
  QWidget* body_ = nullptr;
  QLabel* title_ = nullptr;
  LayerCard* card_ = nullptr;
  QPushButton* table_ = nullptr;
  FindingNotice* finding_ = nullptr;
  LabelList* labels_ = nullptr;
  RangeHistogram* histogram_ = nullptr;
  std::shared_ptr<const Series<float>> counted_;  ///< the series in the histogram
  int countedVolume_ = 0;
  QComboBox *fieldShape_ = nullptr, *fieldColor_ = nullptr;
};

}  // namespace sulcus::ui::widgets
