#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// The functional series of a study, and the figures reported on their activation.
std::shared_ptr<const bids::StudyTraits> activationStudy();

}  // namespace sulcus::app::analyses
