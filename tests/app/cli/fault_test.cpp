#include "app/cli/fault.h"

#include <new>
#include <stdexcept>
#include <system_error>

#include <gmock/gmock.h>

namespace sulcus::app::cli {
namespace {

using testing::HasSubstr;

template <class Thrown>
Fault faultOf(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return currentFault();
  }
}

TEST(Fault, WhatTheSystemDoesNotGiveIsNoFaultOfTheProgram) {
  EXPECT_EQ(faultOf(std::bad_alloc()).code, 4);
  const Fault thread = faultOf(std::system_error(EAGAIN, std::generic_category()));
  EXPECT_EQ(thread.code, 4);
  EXPECT_THAT(thread.sentence, HasSubstr("starts no more threads"));
  // The message of oneTBB.
  const Fault worker =
      faultOf(std::runtime_error("pthread_create has failed: Resource temporarily unavailable"));
  EXPECT_EQ(worker.code, 4);
  EXPECT_THAT(worker.sentence, HasSubstr("starts no more threads"));
  EXPECT_EQ(faultOf(std::runtime_error("else")).code, 5);
}

}  // namespace
}  // namespace sulcus::app::cli
