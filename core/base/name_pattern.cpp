#include "core/base/name_pattern.h"

#include <algorithm>

namespace sulcus {

bool matchesPattern(std::string_view pattern, std::string_view name) noexcept {
  // The text that a star stands for grows by a byte whenever what follows does not match; an earlier star
  // need not grow again.
  std::size_t p = 0, n = 0, afterStar = pattern.npos, grown = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      afterStar = ++p;
      grown = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (afterStar != pattern.npos) {
      p = afterStar;
      n = ++grown;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

bool matchesPathPattern(std::string_view pattern, std::string_view path) noexcept {
  for (;;) {
    const std::size_t ofPattern = std::min(pattern.find('/'), pattern.size()),
                      ofPath = std::min(path.find('/'), path.size());
    const std::string_view wanted = pattern.substr(0, ofPattern), part = path.substr(0, ofPath);
    if (part.starts_with('.') && !wanted.starts_with('.')) return false;
    if (!matchesPattern(wanted, part)) return false;
    if (ofPattern == pattern.size() || ofPath == path.size())
      return ofPattern == pattern.size() && ofPath == path.size();
    pattern.remove_prefix(ofPattern + 1);
    path.remove_prefix(ofPath + 1);
  }
}

std::string_view withoutFolder(std::string_view pattern) noexcept {
  return pattern.substr(pattern.rfind('/') + 1);  // npos + 1 is 0
}

std::string folderOfResult(const std::vector<std::string>& patterns, std::string_view name) {
  for (const std::string& pattern : patterns)
    if (matchesPattern(withoutFolder(pattern), name)) {
      const auto slash = pattern.rfind('/');
      return slash == pattern.npos ? "" : pattern.substr(0, slash);
    }
  return {};
}

}  // namespace sulcus
