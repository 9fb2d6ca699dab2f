#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// The T1-weighted scans of a study, and the figures reported on their registration.
std::shared_ptr<const bids::StudyTraits> registrationStudy();

}  // namespace sulcus::app::analyses
