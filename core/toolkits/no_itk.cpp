#include "core/base/error.h"
#include "core/toolkits/bias_field.h"

// Replaces bias_field.cpp if Sulcus is built without ITK.
namespace sulcus::toolkits {

Volume<float> n4BiasField(const Series<float>&, const Mask*, const Progress&) {
  throw Error("The bias field cannot be found by N4", "this Sulcus was built without ITK",
              "use {bias-field} fit or none"_message, ErrorKind::unavailable);
}

}  // namespace sulcus::toolkits
