#include "core/base/components.h"

#include "core/base/provenance.h"
#include "core/base/sentence.h"

#include <Eigen/Core>
#include <tbb/version.h>

namespace sulcus {

std::vector<Component> coreComponents() {
  return {
      {"Sulcus", sulcusVersion(), "Apache-2.0"},
      {"oneTBB", text(TBB_VERSION_MAJOR, ".", TBB_VERSION_MINOR, ".", TBB_VERSION_PATCH), "Apache-2.0"},
      {"Eigen", text(EIGEN_WORLD_VERSION, ".", EIGEN_MAJOR_VERSION, ".", EIGEN_MINOR_VERSION), "MPL-2.0"},
      {"Random123", "", "BSD-3-Clause"},
  };
}

}  // namespace sulcus
