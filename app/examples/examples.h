#pragma once

#include "ui/model/choices/examples.h"

namespace sulcus::app::examples {

/// The examples on the start page, for the table of analyses, which must outlive them.
std::vector<ui::model::Example> all(const std::vector<Analysis>& analyses);

}  // namespace sulcus::app::examples
