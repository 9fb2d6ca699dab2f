#pragma once

#include "ui/model/layers/layer_stack.h"
#include "ui/model/views/view_state.h"

#include <QString>
#include <functional>
#include <optional>

namespace sulcus::ui::model {

/// The voxel nearest to a scanner position, or none outside the grid.
std::optional<Vec3<int>> voxelAt(const Grid& grid, const Vec3<double>& world);

/// The value of a layer at a scanner position (mm RAS+) as text: "412", "label 3", "2 directions", ""
/// outside.
QString valueAt(const LayerState& state, const Vec3<double>& world);
/// A label with its name, if it has one: "17 Left-Hippocampus".
QString labelText(Label label, const LabelTable* names);

/// The grid whose voxels are shown: that of the current layer, else of the lowest one with a grid; null if
/// none has one.
const Grid* gridOfVoxels(const LayerStack& layers);

/// The point of that grid nearest to a scanner position, mm: a position outside is moved to the outermost
/// voxels; without a grid it is unchanged.
Vec3<double> clampedToVoxels(const LayerStack& layers, const Vec3<double>& world);

/// "R 12.0  A −3.5  S 40.2 mm"
QString positionText(const Vec3<double>& world);
/// Voxel of the current layer (else the bottom one with a grid): "voxel 64, 61, 30".
QString voxelText(const LayerStack& layers, const Vec3<double>& world);
/// Every visible layer with a value there, topmost first: "peaks: 2 directions T1: 412". Long names are
/// shortened, see ShortNames, until the text fits.
QString valuesText(const LayerStack& layers, const Vec3<double>& world,
                   const std::function<bool(const QString&)>& fits = {});

/// The extent of a view that shows all of a layer, mm; 0 for layers without a position.
double extentOf(const Layer& layer);

/// Centers the view on a layer and makes all of it visible; false for layers without a position.
bool frameOn(const Layer& layer, ViewState& view);
/// The local maximum of the current volume that is reached by ascending from a position, voxel by voxel.
std::optional<Vec3<double>> peakNear(const LayerState& state, const Vec3<double>& world);
/// Like frameOn() for everything visible together. False if none of it has a position.
bool frameOnVisible(const std::vector<LayerState>& layers, ViewState& view);
/// Distance of neighboring slices of a layer across a plane's unit normal, mm; 1 for layers without a grid.
double sliceStep(const Layer& layer, const Vec3<double>& normal);

}  // namespace sulcus::ui::model
