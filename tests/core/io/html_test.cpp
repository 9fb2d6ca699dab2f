#include "core/io/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::io {
namespace {

using testing::HasSubstr;

TEST(Html, ShowsTextLiterally) {
  EXPECT_EQ(html::escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_THAT(html::element("p", "<script>", "note"), HasSubstr("<p class=note>&lt;script&gt;</p>"));
}

TEST(Html, HoldsPicturesInItself) {
  EXPECT_THAT(html::figure("Man", "x"), HasSubstr("data:image/png;base64,TWFu\""));
  EXPECT_THAT(html::figure("Ma", "x"), HasSubstr("base64,TWE=\""));
  EXPECT_THAT(html::figure("M", "x", "image/svg+xml"), HasSubstr("data:image/svg+xml;base64,TQ==\""));
}

TEST(Html, DrawingsLieOnWhiteWhatPicturesOfScansDoNot) {
  EXPECT_THAT(html::page("t", ""), HasSubstr("img[src^=\"data:image/svg\"]{background:#fff}"));
}

}  // namespace
}  // namespace sulcus::io
