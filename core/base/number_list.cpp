#include "core/base/number_list.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace sulcus {

std::vector<double> numbersIn(const std::string& list, const char* option, const char* example) {
  std::vector<double> numbers;
  std::string spaced = list;
  std::ranges::replace(spaced, ',', ' ');
  std::istringstream words(spaced);
  for (std::string word; std::getline(words, word, ' ');) {
    if (word.empty()) continue;
    const auto number = numberIn(word);
    if (!number || !std::isfinite(*number))
      throw Error("'" + word + "' of " + Message::option(option) + " is not a number",
                  "a comma-separated list of numbers is needed",
                  "give them like " + Message::option(option) + " " + example, ErrorKind::usage);
    numbers.push_back(*number);
  }
  return numbers;
}

std::set<int> droppedVolumes(const std::string& list, int count) {
  std::set<int> dropped;
  for (const double number : numbersIn(list, "drop-volumes", "0,65")) {
    if (number < 0 || number >= count || number != std::floor(number))
      throw Error(text("Volume ", numberText(number), " cannot be dropped"),
                  text("the series has volumes 0 to ", count - 1, ", counted from 0"),
                  "give numbers in that range", ErrorKind::usage);
    dropped.insert(int(number));
  }
  return dropped;
}

std::string droppedNote(const std::set<int>& dropped, int count) {
  if (dropped.empty()) return {};
  std::vector<std::string> numbers;
  numbers.reserve(dropped.size());
  for (const int volume : dropped) numbers.push_back(std::to_string(volume));
  return text(dropped.size(), dropped.size() == 1 ? " volume" : " volumes", " of ", count,
              " left out as asked (", joined(numbers, ","), ", counted from 0).");
}

}  // namespace sulcus
