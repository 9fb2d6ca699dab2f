#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// T1-weighted scans of a study, and what is reported of their registration.
std::shared_ptr<const bids::StudyTraits> registrationStudy();

}  // namespace sulcus::app::analyses
