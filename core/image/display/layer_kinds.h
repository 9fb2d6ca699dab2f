#pragma once

#include "core/base/message.h"
#include "core/image/layer.h"

#include <string>

// What a layer can be used as, judged by its kind of content and, except for tissue maps, not by its values.
namespace sulcus {

/// Measurements of one or more volumes, without gradients.
bool isVolume(const Layer& layer);
/// Labels or one volume.
bool isMask(const Layer& layer);
/// Labels of which only one occurs, so certainly meant as a mask.
bool isSingleLabel(const Layer& layer);
bool holdsOneLabel(const Volume<Label>& labels);
/// One volume without gradients.
bool isImage(const Layer& layer);
/// A mask, or the share or probability of a tissue, rather than what a scanner measured: a volume with values
/// from 0 to 1 and a corresponding name, e.g. "white", "sub-01_label-GM_probseg" or SPM's "c1…".
bool isTissueMap(const Layer& layer);
bool isMesh(const Layer& layer);
bool isTracts(const Layer& layer);
bool isTable(const Layer& layer);

/// The warning about a file with different whole numbers that are equal in single precision.
inline constexpr const char kRoundedNumbers[] =
    "some whole numbers have more digits than single precision keeps (24 bits), and were rounded.";
/// The warnings of a layer, each preceded by its name: "t1: …".
Notes namedWarningsOf(const Layer& layer);

/// The volumes of a layer. Throws Error if it holds something else.
///
/// @param use  what it is to be used as, e.g. "reference": for the message
const VolumeLayer& volumeOf(const Layer& layer, const Message& use);
/// Its table. Throws Error if it holds something else.
const TableLayer& tableOf(const Layer& layer, const Message& use);
/// Its surface. Throws Error if it holds something else.
const Mesh& meshOf(const Layer& layer, const Message& use);
/// Its lines. Throws Error if it holds something else.
const Tracts& tractsOf(const Layer& layer, const Message& use);

/// Throws Error unless a truth lies on the grid of the image it belongs to.
///
/// @param image  what the image is called, e.g. "series"
void requireTruthOn(const Grid& grid, const Grid& truth, const std::string& image);

}  // namespace sulcus
