#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sulcus {

/// While one lives, a run may write a result that is too large for the memory to its place itself, and leaves
/// it out of what it gives back. There is one at a time.
class ResultPlaces {
 public:
  /// Gives the path to write the result of a name to, e.g. "tracts.trx"; an empty one where it is not wanted.
  using PathOf = std::function<std::filesystem::path(const std::string& name)>;
  /// @param mostBytes  of a result that is given back all the same
  ResultPlaces(PathOf pathOf, std::size_t mostBytes);
  ~ResultPlaces();
  ResultPlaces(const ResultPlaces&) = delete;
  ResultPlaces& operator=(const ResultPlaces&) = delete;
};

/// How large a result may be that is given back; nullopt where all have to be.
std::optional<std::size_t> mostBytesGivenBack();
/// See ResultPlaces::PathOf; nullopt where a run has to give back all of its results.
std::optional<std::filesystem::path> placeOfResult(const std::string& name);

}  // namespace sulcus
