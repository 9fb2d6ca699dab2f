#pragma once

#include <string>

namespace sulcus::ui::scene {

/// A text of the program in the language of the window.
using Translate = std::string(const char* text);

/// Sets the function that translates the texts of views; null leaves them in English. The scene does not
/// depend on Qt, which provides the window's translations. Must not be called during drawing.
void translateBy(Translate* translate);

/// A text in the language of the window, with "%1" replaced by `number`.
std::string words(const char* text);
std::string words(const char* text, int number);

}  // namespace sulcus::ui::scene
