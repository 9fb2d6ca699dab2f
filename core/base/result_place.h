#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sulcus {

/// While one exists, a run may write a result that is too large for memory directly to its destination and
/// omit it from what it returns. At most one exists at a time.
class ResultPlaces {
 public:
  /// Returns the path to write the named result to, e.g. "tracts.trx"; empty if it is not wanted.
  using PathOf = std::function<std::filesystem::path(const std::string& name)>;
  /// @param mostBytes  the largest result that is returned in memory
  ResultPlaces(PathOf pathOf, std::size_t mostBytes);
  ~ResultPlaces();
  ResultPlaces(const ResultPlaces&) = delete;
  ResultPlaces& operator=(const ResultPlaces&) = delete;
};

/// The largest result that may be returned in memory; nullopt if all have to be.
std::optional<std::size_t> mostBytesGivenBack();
/// See ResultPlaces::PathOf; nullopt if a run has to return all of its results.
std::optional<std::filesystem::path> placeOfResult(const std::string& name);

}  // namespace sulcus
