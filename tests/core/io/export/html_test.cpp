#include "core/io/export/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::io {
namespace {

using html::operator""_html;
using testing::HasSubstr;

TEST(Html, ShowsTextLiterally) {
  EXPECT_EQ(html::text("a<b> & \"c\" 'd'").str(), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(html::element("p"_html, "<script>", "note"_html).str(), "<p class=\"note\">&lt;script&gt;</p>\n");
  EXPECT_EQ(html::titledTable({"<i>"}, {{html::text("<b>")}}).str(),
            "<table><tr><th>&lt;i&gt;</th></tr>\n<tr><td>&lt;b&gt;</td></tr>\n</table>\n");
  EXPECT_THAT(html::figure("x", "<a>", "\" onload=\"f()").str(),
              HasSubstr("alt=\"&lt;a&gt;\" src=\"data:&quot; onload=&quot;f();base64,"));
  EXPECT_THAT(html::dotRow("<a>", {{1, "<b>", false}}).str(), HasSubstr("<title>&lt;b&gt;: 1</title>"));
  EXPECT_THAT(html::page("</title><script>", {}), HasSubstr("<title>&lt;/title&gt;&lt;script&gt;</title>"));
}

TEST(Html, LinksOnlyToNeighboringPages) {
  EXPECT_EQ(html::link("javascript:f()", "x").str(), "<a href=\"./javascript:f()\">x</a>");
  EXPECT_EQ(html::link("#\" onclick=\"f()", "x").str(), "<a href=\"#&quot; onclick=&quot;f()\">x</a>");
}

TEST(Html, HoldsPicturesInItself) {
  EXPECT_THAT(html::figure("Man", "x").str(), HasSubstr("data:image/png;base64,TWFu\""));
  EXPECT_THAT(html::figure("Ma", "x").str(), HasSubstr("base64,TWE=\""));
  EXPECT_THAT(html::figure("M", "x", "image/svg+xml").str(), HasSubstr("data:image/svg+xml;base64,TQ==\""));
}

TEST(Html, DrawingsLieOnWhiteWhatPicturesOfScansDoNot) {
  EXPECT_THAT(html::page("t", {}), HasSubstr("img[src^=\"data:image/svg\"]{background:#fff}"));
}

}  // namespace
}  // namespace sulcus::io
