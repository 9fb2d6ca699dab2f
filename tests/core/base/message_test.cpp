#include "core/base/message.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

using Part = Message::Part;

TEST(Message, NamesOptionsBetweenBraces) {
  const Message message = "use {bias-field} fit, or give {mask}"_message;
  EXPECT_EQ(message.parts(),
            (std::vector<Part>{{"use "}, {"bias-field", true}, {" fit, or give "}, {"mask", true}}));
  EXPECT_EQ(message.line(), "use --bias-field fit, or give --mask");
  EXPECT_EQ(""_message, Message());
}

TEST(Message, OfTextIsPlainWhateverItHolds) {
  const Message message(std::string("'my --dwi {x}.nii'"));
  EXPECT_EQ(message.parts(), (std::vector<Part>{{"'my --dwi {x}.nii'"}}));
  EXPECT_EQ((message + " is damaged").parts().size(), 1U);
}

TEST(Message, IsParsedFromALine) {
  for (const Message& message :
       {"give {bval} and {bvec} or {grad}, or place them"_message, "{b0-threshold}"_message,
        Message("no option"), Message("a -- b, c--d, SUB--x, ---x, --5, --Y and -e"), Message()})
    EXPECT_EQ(Message::from(message.line()), message) << message.line();
}

TEST(Message, LosesItsEnd) {
  Message message = "check {mask}."_message;
  EXPECT_TRUE(message.removeEnd("."));
  EXPECT_EQ(message, "check {mask}"_message);
  EXPECT_FALSE(message.removeEnd("k"));
}

TEST(Error, KeepsTheOptionsOfItsParts) {
  const Error error("'\x1b--dwi.nii' has no gradients", "none are given", "give {bval} and {bvec}"_message);
  EXPECT_STREQ(error.what(), "'\\x1b--dwi.nii' has no gradients (none are given): give --bval and --bvec");
  EXPECT_EQ(error.message().parts().size(), 4U);
  EXPECT_EQ(messageOf(error), error.message());
  EXPECT_EQ(messageOf(std::runtime_error("--a")), Message("--a"));
}

}  // namespace
}  // namespace sulcus
