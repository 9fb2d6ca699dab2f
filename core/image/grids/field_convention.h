#pragma once

namespace sulcus {

/// How a displacement field is written: ITK/ANTs (LPS, NIfTI intent 1007) or Slicer (RAS, intent 1006).
enum class FieldConvention { itk, slicer };

}  // namespace sulcus
