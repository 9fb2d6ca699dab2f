#include "core/base/error.h"
#include "core/toolkits/bias_field.h"
#include "core/toolkits/components.h"
#include "core/toolkits/contour.h"
#include "core/toolkits/level_sets.h"

// Replaces this folder if Sulcus is built without ITK and VTK.
namespace sulcus::toolkits {
namespace {

[[noreturn]] void refuseWithout(const char* toolkit, const char* what) {
  throw Error(std::string(what) + " cannot be found", std::string("this Sulcus was built without ") + toolkit,
              std::string("build it where ") + toolkit + " is installed", ErrorKind::unavailable);
}

}  // namespace

std::vector<Component> components() { return {}; }

Volume<float> n4BiasField(const Series<float>&, const Mask*, const Progress&) {
  refuseWithout("ITK", "The bias field");
}

Mesh contourOf(const Volume<float>&, const Progress&) { refuseWithout("VTK", "The surface"); }

Volume<float> signedDistanceOfMask(const Mask&, const Progress&) {
  refuseWithout("VTK", "The surface of the mask");
}
Volume<float> signedDistanceOfImage(const Volume<float>&, float, const Progress&) {
  refuseWithout("VTK", "The surface of the image");
}
Volume<float> redistanced(const Volume<float>&, const Progress&) { refuseWithout("VTK", "The surface"); }

}  // namespace sulcus::toolkits
