#include "core/base/platform/processes/pipe.h"

#include "core/base/platform/files/descriptor.h"

#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Pipe, CarriesBytesAndReportsItsEnd) {
  int ends[2];
  ASSERT_EQ(makePipe(ends), 0);
  EXPECT_EQ(waitToRead(ends[0], 0), 0) << "nothing is there yet";
  EXPECT_EQ(waitToWrite(ends[1], 1000), 1);
  EXPECT_EQ(writeSome(ends[1], std::string("text")), 4);
  EXPECT_EQ(waitToRead(ends[0], 1000), 1);
  std::string text(10, '-');
  EXPECT_EQ(readSome(ends[0], std::span(text)), 4);
  EXPECT_EQ(text.substr(0, 4), "text");
  closeDescriptor(ends[1]);
  EXPECT_EQ(waitToRead(ends[0], 1000), 1) << "its end is something to read";
  EXPECT_EQ(readSome(ends[0], std::span(text)), 0);
  closeDescriptor(ends[0]);
}

TEST(Channel, GoesBothWaysAndOutlivesTheOtherEnd) {
  int ends[2];
  ASSERT_EQ(makeChannel(ends), 0);
  EXPECT_EQ(sendSome(ends[0], std::string("ask")), 3);
  std::string text(10, '-');
  EXPECT_EQ(readSome(ends[1], std::span(text)), 3);
  EXPECT_EQ(sendSome(ends[1], std::string("tell")), 4);
  EXPECT_EQ(readSome(ends[0], std::span(text)), 4);
  EXPECT_EQ(readSome(ends[0], std::span(text)), -1) << "its first end does not wait";
  closeDescriptor(ends[1]);
  EXPECT_EQ(sendSome(ends[0], std::string("ask")), -1) << "an error, not a signal that ends this program";
  closeDescriptor(ends[0]);
}

}  // namespace
}  // namespace sulcus
