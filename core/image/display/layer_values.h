#pragma once

#include "core/image/layer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// The numbers of a volume or labels layer: of the first volume, where it has several.
namespace sulcus {

/// Smallest and largest sound value (value_check.h); NaN both where there is none.
Range soundRange(const Layer& layer);

/// The first volume as numbers, labels included. Throws Error when the layer holds neither.
///
/// @param use  what it was to be used as, e.g. "image": for the message
Volume<float> firstVolume(const Layer& layer, const std::string& use);

/// Whether a layer looks like a mask or labels: whole numbers, at most 128 different ones but 0.
bool isLabelled(const Layer& layer);
/// Labels of a layer, ascending, 0 apart; none where it holds other numbers than whole ones.
std::vector<Label> labelsOf(const Layer& layer);
/// "1, 2, 3", the first twelve; "1, 2, … and 5 more".
std::string listed(const std::vector<Label>& labels);
/// The whole numbers of one volume, exactly. Throws Error for others, and for those that were rounded when
/// they were read.
///
/// @param use  what they were to be used as: for the message
std::shared_ptr<const Volume<Label>> wholeNumbers(const Layer& layer, const std::string& use);
/// Throws Error for whole numbers that were rounded when they were read: labels melt into one then.
void requireExact(const Layer& layer, const std::string& use);
/// The voxels of one label of a volume or labels layer; where `label` is 0 those of maskOf().
Mask maskOfLabel(const Layer& layer, Label label);

/// The layer as labels that say which voxels of an image belong to a region. Throws Error where they are no
/// whole numbers, all 0, or do not lie on the grid of the image.
///
/// @param use   what they were to be used as, e.g. "reference-labels": for the message
/// @param grid  of the image
/// @param of    what the image is called, e.g. "reference"
std::shared_ptr<const Volume<Label>> labelsOn(const Layer& layer, const std::string& use, const Grid& grid,
                                              const std::string& of);

}  // namespace sulcus
