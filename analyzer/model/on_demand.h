// A value that few of its owners have. It takes a pointer's place until it is written; until then it reads as T{}.
#pragma once

#include <memory>

namespace tauprof {

template <class T>
class OnDemand {
 public:
  OnDemand() = default;
  OnDemand(const OnDemand& other) : value_(other.value_ ? std::make_unique<T>(*other.value_) : nullptr) {}
  OnDemand(OnDemand&&) noexcept = default;
  OnDemand& operator=(const OnDemand& other) { return *this = OnDemand(other); }
  OnDemand& operator=(OnDemand&&) noexcept = default;

  const T& operator*() const {
    static const T kNone{};
    return value_ ? *value_ : kNone;
  }
  const T* operator->() const { return &**this; }
  bool is_there() const { return value_ != nullptr; }
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace tauprof
