#include "core/toolkits/components.h"

#include "core/base/sentence.h"

#include <H5public.h>
#include <gdcmConfigure.h>
#include <vtkVersionMacros.h>

#ifdef SULCUS_HAVE_ITK
#include <itkConfigure.h>
#endif

namespace sulcus::toolkits {

std::vector<Component> components() {
  return {
#ifdef SULCUS_HAVE_ITK
      {"ITK", text(ITK_VERSION_MAJOR, ".", ITK_VERSION_MINOR, ".", ITK_VERSION_PATCH), "Apache-2.0"},
#endif
      {"VTK", text(VTK_MAJOR_VERSION, ".", VTK_MINOR_VERSION, ".", VTK_BUILD_VERSION), "BSD-3-Clause"},
      {"GDCM (in sulcus-dicom)", text(GDCM_MAJOR_VERSION, ".", GDCM_MINOR_VERSION, ".", GDCM_BUILD_VERSION),
       "BSD-3-Clause"},
      {"HDF5 (in sulcus-dicom)", text(H5_VERS_MAJOR, ".", H5_VERS_MINOR, ".", H5_VERS_RELEASE),
       "BSD-3-Clause"},
  };
}

}  // namespace sulcus::toolkits
