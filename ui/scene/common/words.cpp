#include "ui/scene/common/words.h"

namespace sulcus::ui::scene {
namespace {

Translate* chosen = nullptr;

}  // namespace

void translateBy(Translate* translate) { chosen = translate; }

std::string words(const char* text) { return chosen ? chosen(text) : text; }

std::string words(const char* text, int number) {
  std::string said = words(text);
  if (const auto at = said.find("%1"); at != said.npos) said.replace(at, 2, std::to_string(number));
  return said;
}

}  // namespace sulcus::ui::scene
