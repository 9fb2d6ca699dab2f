#pragma once

#include <QString>

namespace sulcus::ui::model {

/// words() of localize.h.
QString translatedText(const QString& said);

}  // namespace sulcus::ui::model
