#include "app/prealign_memo.h"

namespace sulcus::app {

Affine PrealignMemo::operator()(const RegistrationInput& input, const std::shared_ptr<const void>& mask,
                                Prealignment kind, const Progress& progress, bool& recalled) {
  {
    const std::lock_guard lock(mutex_);
    recalled = key_ && key_->kind == kind && key_->masked == bool(mask) &&
               key_->templateImage.lock() == input.templateImage &&
               key_->reference.lock() == input.reference && key_->mask.lock() == mask;
    if (recalled) return last_;
  }
  const Affine found = align_(*input.templateImage, *input.reference, input.mask.get(), kind, progress);
  const std::lock_guard lock(mutex_);
  key_ = Key{input.templateImage, input.reference, mask, bool(mask), kind};
  last_ = found;
  return found;
}

}  // namespace sulcus::app
