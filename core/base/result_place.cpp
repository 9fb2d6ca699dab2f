#include "core/base/result_place.h"

#include <cassert>
#include <mutex>
#include <utility>

namespace sulcus {
namespace {

std::mutex placesGuard;
ResultPlaces::PathOf places;
std::size_t mostBytesOfPlaces = 0;

}  // namespace

ResultPlaces::ResultPlaces(PathOf pathOf, std::size_t mostBytes) {
  const std::scoped_lock lock(placesGuard);
  assert(!places);
  places = std::move(pathOf);
  mostBytesOfPlaces = mostBytes;
}

ResultPlaces::~ResultPlaces() {
  const std::scoped_lock lock(placesGuard);
  places = nullptr;
}

std::optional<std::size_t> mostBytesGivenBack() {
  const std::scoped_lock lock(placesGuard);
  return places ? std::optional(mostBytesOfPlaces) : std::nullopt;
}

std::optional<std::filesystem::path> placeOfResult(const std::string& name) {
  const std::scoped_lock lock(placesGuard);
  if (!places) return {};
  return places(name);
}

}  // namespace sulcus
