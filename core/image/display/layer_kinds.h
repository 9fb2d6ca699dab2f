#pragma once

#include "core/image/layer.h"

#include <string>

// Which layers can be used as what, judged by what they hold and, but for tissue maps, not by
// their numbers.
namespace sulcus {

/// Measurements of one volume or more, without gradients.
bool isVolume(const Layer& layer);
/// Labels or one volume.
bool isMask(const Layer& layer);
/// Labels of which only one occurs: surely meant as a mask.
bool isSingleLabel(const Layer& layer);
bool holdsOneLabel(const Volume<Label>& labels);
/// One volume without gradients.
bool isImage(const Layer& layer);
/// A mask or the share or probability of a tissue, not what a scanner measured: a volume that is called so,
/// e.g. "white", "sub-01_label-GM_probseg" or SPM's "c1…", with values from 0 to 1.
bool isTissueMap(const Layer& layer);
bool isMesh(const Layer& layer);
bool isTracts(const Layer& layer);
bool isTable(const Layer& layer);

/// The warning of a file whose whole numbers single precision does not tell apart.
inline constexpr const char kRoundedNumbers[] =
    "some whole numbers have more digits than single precision keeps (24 bits), and were rounded.";
/// The warnings of a layer with its name in each: "t1: …".
Notes namedWarningsOf(const Layer& layer);

/// What a layer measured. Throws Error when it holds something else.
///
/// @param use  what it was to be used as, e.g. "reference": for the message
const VolumeLayer& volumeOf(const Layer& layer, const std::string& use);
/// Its triangles. Throws Error when it holds something else.
const Mesh& meshOf(const Layer& layer, const std::string& use);
/// Its lines. Throws Error when it holds something else.
const Tracts& tractsOf(const Layer& layer, const std::string& use);

/// Throws Error unless a truth lies on the grid of the image that it belongs to.
///
/// @param image  what the image is called, e.g. "series"
void requireTruthOn(const Grid& grid, const Grid& truth, const std::string& image);

}  // namespace sulcus
