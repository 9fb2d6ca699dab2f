#pragma once

#include "core/image/display/shown_values.h"
#include "ui/scene/common/colormap.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include <vtkScalarsToColors.h>

namespace sulcus::ui::scene {

/// Values → RGBA for one layer: color map over the range, alpha 0 where hidden or NaN; or the label palette.
class LayerColors : public vtkScalarsToColors {
 public:
  static LayerColors* New();
  vtkTypeMacro(LayerColors, vtkScalarsToColors);

  /// `range` is used if the display has none.
  void show(const Display& display, Range range);
  /// Each label in its color from the table or in an assigned one, or all in that of a color map other than
  /// gray: an alarm is red. Unlabeled voxels are drawn in `without`.
  void showLabels(const Display& display, const std::shared_ptr<const LabelTable>& names = nullptr,
                  const Rgba& without = {});

  const Display& display() const { return display_; }
  /// The values that a color bar shows: the range, and its mirror image if negative values have their own
  /// colors.
  Range bar() const;
  /// Computes the colors of several values, 4 bytes each. Thread-safe.
  void paint(const float* values, unsigned char* rgba, std::int64_t count) const;
  void paint(const Label* labels, unsigned char* rgba, std::int64_t count) const;

  double* GetRange() override { return range_; }
  void SetRange(double, double) override {}  // controlled here only: mappers must not change it
  int IsOpaque() override { return 0; }
  int IsOpaque(vtkAbstractArray*, int, int) override { return 0; }
  const unsigned char* MapValue(double value) override;
  void GetColor(double value, double rgb[3]) override;
  double GetOpacity(double value) override;
  void MapScalarsThroughTable2(void* input, unsigned char* output, int type, int count, int stride,
                               int format) override;

 protected:
  LayerColors() = default;
  ~LayerColors() override = default;

 private:
  Rgba colorOf(double value) const;
  template <class T>
  void paintEach(const T* values, unsigned char* rgba, std::int64_t count) const;
  template <class T>
  void map(const T* input, unsigned char* output, int count, int stride, int format) const;

  std::array<Rgba, 256> table_{}, negatives_{};
  Display display_;
  double range_[2] = {0, 1};
  std::optional<Rgba> alarm_;  ///< of all labels
  std::shared_ptr<const LabelTable> names_;
  Rgba without_{};  ///< for what has no label
  bool labels_ = false, everShown_ = false;
  Rgba last_{};
};

}  // namespace sulcus::ui::scene
