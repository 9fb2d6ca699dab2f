#pragma once

#include "core/base/message.h"
#include "core/image/layer.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The values of a volume or labels layer: of the first volume if there are several.
namespace sulcus {

/// Smallest and largest sound value (value_check.h); both NaN if there is none.
Range soundRange(const Layer& layer);

/// The first volume as numbers, also of labels. Throws Error if the layer holds neither.
///
/// @param use  what it is to be used as, e.g. "image": for the message
Volume<float> firstVolume(const Layer& layer, const Message& use);

/// Whether a value can be a label: a whole number within ±2⁶³. False for NaN.
inline bool isLabelValue(float value) {
  return value == std::floor(value) && std::abs(value) < 9223372036854775808.F;
}
/// Whether a layer looks like a mask or labels: whole numbers, at most 128 different ones besides 0.
bool isLabeled(const Layer& layer);
/// Labels of a layer except 0, ascending; none if it holds other than whole numbers.
std::vector<Label> labelsOf(const Layer& layer);
/// "1, 2, 3", the first twelve; "1, 2, … and 5 more".
std::string listed(const std::vector<Label>& labels);
/// The whole numbers of one volume, exactly. Throws Error for other numbers, and for those that were rounded
/// when read.
///
/// @param use  what they are to be used as: for the message
std::shared_ptr<const Volume<Label>> wholeNumbers(const Layer& layer, const Message& use);
/// Throws Error for whole numbers that were rounded when read, since different labels may have become equal.
void requireExact(const Layer& layer, const Message& use);
/// The voxels of one label of a volume or labels layer; for label 0 those of maskOf().
Mask maskOfLabel(const Layer& layer, Label label);

/// The layer as labels that say which voxels of an image belong to a region. Throws Error if they are not
/// whole numbers, are all 0, or do not lie on the grid of the image.
///
/// @param use   what they are to be used as, e.g. "reference-labels": for the message
/// @param grid  of the image
/// @param of    what the image is called, e.g. "reference"
std::shared_ptr<const Volume<Label>> labelsOn(const Layer& layer, const Message& use, const Grid& grid,
                                              const std::string& of);

}  // namespace sulcus
