#include "gpu/runtime/buffer.h"
#include "tests/gpu/runtime/kernels.h"
#include "tests/support/gpu.h"

#include <array>

#include <gtest/gtest.h>

namespace sulcus::gpu {
namespace {

class Quotient : public test::NeedsGpu {};

TEST_F(Quotient, HasTheBitsOfADivisionForAllNumbersOfARegistration) {
  std::array<unsigned long long, 1> wrong{1};
  const Stream stream;
  Buffer<unsigned long long> counted(1, stream);
  counted.fillBytes(0, stream);

  test::countWrongQuotients(counted.data(), stream);
  counted.download(wrong, stream);
  stream.synchronize();

  EXPECT_EQ(wrong[0], 0);
}

}  // namespace
}  // namespace sulcus::gpu
