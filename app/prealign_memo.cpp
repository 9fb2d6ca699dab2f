#include "app/prealign_memo.h"

#include <chrono>

namespace sulcus::app {

PrealignMemo::Alignment PrealignMemo::operator()(const RegistrationInput& input,
                                                 const std::shared_ptr<const void>& mask, Prealignment kind,
                                                 const Progress& progress) {
  {
    const std::lock_guard lock(mutex_);
    if (key_ && key_->kind == kind && key_->masked == bool(mask) &&
        key_->templateImage.lock() == input.templateImage && key_->reference.lock() == input.reference &&
        key_->mask.lock() == mask)
      return {last_.templateFromReference, last_.seconds, true};
  }
  const auto begun = std::chrono::steady_clock::now();
  const Affine found = align_(*input.templateImage, *input.reference, input.mask.get(), kind, progress);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  const std::lock_guard lock(mutex_);
  key_ = Key{input.templateImage, input.reference, mask, bool(mask), kind};
  return last_ = {found, took.count(), false};
}

}  // namespace sulcus::app
