#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// The diffusion series of a study, and the figures reported on their fibers.
std::shared_ptr<const bids::StudyTraits> fibersStudy();

}  // namespace sulcus::app::analyses
