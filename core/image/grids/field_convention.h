#pragma once

namespace sulcus {

/// The axes in which a displacement field is stored: ITK/ANTs (LPS, NIfTI intent 1007) or Slicer (RAS, intent
/// 1006).
enum class FieldConvention { itk, slicer };

}  // namespace sulcus
