#pragma once

#include <QString>

namespace sulcus::ui::model {

/// words() of window_words.h.
QString translatedText(const QString& said);

}  // namespace sulcus::ui::model
