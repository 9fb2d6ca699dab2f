#pragma once

#include <string>

namespace sulcus::ui::scene {

/// A text of the program in the language of the window.
using Translate = std::string(const char* text);

/// Lets what views say of themselves be translated by this function; null leaves it in English. The scene
/// knows no Qt, whose translations the window has. Not to be called while something is drawn.
void translateBy(Translate* translate);

/// A text in the language of the window, "%1" in it replaced by `number`.
std::string words(const char* text);
std::string words(const char* text, int number);

}  // namespace sulcus::ui::scene
