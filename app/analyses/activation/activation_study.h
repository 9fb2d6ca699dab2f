#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// Functional series of a study, and what is reported of their activation.
std::shared_ptr<const bids::StudyTraits> activationStudy();

}  // namespace sulcus::app::analyses
