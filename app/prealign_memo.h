#pragma once

#include "core/registration/registration.h"

#include <memory>
#include <mutex>
#include <optional>

namespace sulcus::app {

/// Keeps the last pre-alignment, so that the second backend, or another λ, does not align the same images
/// again. Images are the same when they are the same objects in memory; they are not kept alive.
class PrealignMemo {
 public:
  explicit PrealignMemo(std::function<Prealign> align) : align_(std::move(align)) {}

  struct Alignment {
    Affine templateFromReference;
    double seconds = 0;     ///< that it took, now or then
    bool recalled = false;  ///< nothing was computed
  };

  /// What `align` says of the images of `input`, or said last time.
  ///
  /// @param mask  what the mask of the input was made of, null without one: tells masks apart
  Alignment operator()(const RegistrationInput& input, const std::shared_ptr<const void>& mask,
                       Prealignment kind, const Progress& progress);

 private:
  struct Key {
    std::weak_ptr<const void> templateImage, reference, mask;
    bool masked = false;
    Prealignment kind = Prealignment::none;
  };
  std::function<Prealign> align_;
  std::mutex mutex_;  // guards what follows: two runs may end at once
  std::optional<Key> key_;
  Alignment last_;
};

}  // namespace sulcus::app
