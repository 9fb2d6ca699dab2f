#pragma once

namespace sulcus::ui::widgets {

/// The layout of the center of the window: all four views, one of them alone, a comparison, the 3D view next
/// to the slices, or many slices of one plane.
enum class ViewLayout { grid, axial, coronal, sagittal, scene, compare, beside, lightbox };

}  // namespace sulcus::ui::widgets
