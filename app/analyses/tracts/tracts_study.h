#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// The inputs of tracts in a study: the fibers that an earlier study found.
std::shared_ptr<const bids::StudyTraits> tractsStudy();

}  // namespace sulcus::app::analyses
