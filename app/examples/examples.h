#pragma once

#include "ui/model/runs/examples.h"

namespace sulcus::app::examples {

/// The examples of the start page, by the table of the analyses, which must outlive them.
std::vector<ui::model::Example> all(const std::vector<Analysis>& analyses);

}  // namespace sulcus::app::examples
