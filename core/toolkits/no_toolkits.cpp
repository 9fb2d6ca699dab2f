#include "core/base/error.h"
#include "core/toolkits/components.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"

// Replaces this folder if Sulcus is built without VTK, together with no_itk.cpp.
namespace sulcus::toolkits {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(std::string(what) + " cannot be found", "this Sulcus was built without VTK",
              "build it where VTK is installed", ErrorKind::unavailable);
}

}  // namespace

std::vector<Component> components() { return {}; }

Mesh contourOf(const Volume<float>&, const Progress&) { refuse("The surface"); }

Volume<float> signedDistanceOfMask(const Mask&, const Progress&) { refuse("The surface of the mask"); }
Volume<float> signedDistanceOfImage(const Volume<float>&, float, const Progress&) {
  refuse("The surface of the image");
}
Volume<float> redistanced(const Volume<float>&, const Progress&) { refuse("The surface"); }

}  // namespace sulcus::toolkits
