#pragma once

#include "core/base/message.h"
#include "core/image/layer.h"
#include "core/math/affine.h"

#include <string>

// A linear map between two images as a layer: a table of its 4 × 4 matrix, which the window shows like any
// other table.
namespace sulcus {

/// The line before the matrix in a text file, which says what the numbers mean.
inline constexpr const char* kTransformComment =
    "# Template point (RAS, mm) = this matrix × reference point (RAS, mm)";

/// Four rows of four numbers, with all their digits. The columns are named after what they multiply.
///
/// @param templateFromReference  maps points of the reference to points of the template, mm, RAS+
TableLayer transformTable(const Affine& templateFromReference);

/// Whether the layer is such a table. Other tables of sixteen numbers are not: the direction and units of a
/// matrix that does not state them are not guessed.
bool isTransform(const Layer& layer);

/// The map that the layer holds. Throws Error if it is not a transform, if its last row is not 0 0 0 1, and
/// for numbers that are not finite or beyond 10⁹.
///
/// @param use  what it is to be used as, e.g. "initial transform": for the message
Affine transformOf(const Layer& layer, const Message& use);

}  // namespace sulcus
