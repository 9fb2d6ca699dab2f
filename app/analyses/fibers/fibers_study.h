#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// Diffusion series of a study, and what is reported of their fibers.
std::shared_ptr<const bids::StudyTraits> fibersStudy();

}  // namespace sulcus::app::analyses
