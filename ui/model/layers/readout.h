#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QString>
#include <functional>
#include <optional>

namespace sulcus::ui::model {

/// Nearest voxel to a scanner position, or nothing outside the grid.
std::optional<Vec3<int>> voxelAt(const Grid& grid, const Vec3<double>& world);

/// What a layer holds at a scanner position (mm RAS+) in words: "412", "label 3", "2 directions", "" outside.
QString valueAt(const LayerState& state, const Vec3<double>& world);
/// A label with its name, where it has one: "17 Left-Hippocampus".
QString labelText(Label label, const LabelTable* names);

/// The grid whose voxels are shown: that of the current layer, else of the bottom one with a grid; null where
/// none has one.
const Grid* gridOfVoxels(const LayerStack& layers);

/// The place in that grid nearest to a place in the scanner, mm: a place outside moves onto its outermost
/// voxels; where there is no grid it stays.
Vec3<double> clampedToVoxels(const LayerStack& layers, const Vec3<double>& world);

/// "R 12.0  A −3.5  S 40.2 mm"
QString positionText(const Vec3<double>& world);
/// Voxel of the current layer (else the bottom one with a grid): "voxel 64, 61, 30".
QString voxelText(const LayerStack& layers, const Vec3<double>& world);
/// Every visible layer with a value there, top first: "peaks: 2 directions   T1: 412". Long names are
/// shortened, see ShortNames, as far as is needed until the text fits.
QString valuesText(const LayerStack& layers, const Vec3<double>& world,
                   const std::function<bool(const QString&)>& fits = {});

/// The extent of a view that shows all of a layer, mm; 0 for layers without a place.
double extentOf(const Layer& layer);

/// Centers the view on a layer and makes all of it visible; false for layers without a place.
bool frameOn(const Layer& layer, ViewState& view);
/// The local maximum of the shown volume that is reached by going up from a place, voxel by voxel.
std::optional<Vec3<double>> peakNear(const LayerState& state, const Vec3<double>& world);
/// The same as frameOn() for all that is visible together. False when nothing of it lies anywhere.
bool frameOnVisible(const std::vector<LayerState>& layers, ViewState& view);
/// Distance of neighboring slices of a layer across a plane's unit normal, mm; 1 for layers without a grid.
double sliceStep(const Layer& layer, const Vec3<double>& normal);

}  // namespace sulcus::ui::model
