#pragma once

#include "core/image/labels/label_table.h"

#include <limits>
#include <string>
#include <vector>

namespace sulcus::io {

/// Stands for a point without a label.
inline constexpr Label kNoLabel = std::numeric_limits<Label>::min();
/// Up to this number, the floats in which a mesh holds the labels of its points are exact.
inline constexpr Label kGreatestPointLabel = 1 << 24;

/// Labels of the points of a surface as the floats that a mesh holds, NaN for kNoLabel. Labels that a float
/// would round are replaced by unused small numbers, here and in `table`, whose names include the number in
/// the file, such as "V1 [312782546]". Throws Error, which names `name`, for more than 100 000 of these.
std::vector<float> pointLabels(const std::vector<Label>& labels, LabelTable& table, const std::string& name);

}  // namespace sulcus::io
