#pragma once

#include <cassert>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace sulcus {

/// What the layers of a result were made from, of a type that only its analysis knows: compare() and
/// compareWithTruth() need it. Opaque to everything else.
class ResultSource {
 public:
  ResultSource() = default;
  template <class T>
  ResultSource(std::shared_ptr<T> kept) : kept_(std::move(kept)), type_(&typeid(std::remove_const_t<T>)) {}

  template <class T>
  bool holds() const {
    return type_ && *type_ == typeid(T);
  }
  template <class T>
  const T& as() const {
    assert(holds<T>());
    return *static_cast<const T*>(kept_.get());
  }

 private:
  std::shared_ptr<const void> kept_;
  const std::type_info* type_ = nullptr;
};

}  // namespace sulcus
