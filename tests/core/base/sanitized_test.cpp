#include "core/base/sanitized.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(SanitizedForDisplay, LeavesTextAsItIs) {
  for (const char* text : {"", "scan.nii.gz", "Aufnahme 3 – größer.nii", "脳.nii", "🧠.nii", "a b'c\\d"})
    EXPECT_EQ(sanitizedForDisplay(text), text);
}

TEST(SanitizedForDisplay, ShowsControlCharacters) {
  EXPECT_EQ(sanitizedForDisplay("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(sanitizedForDisplay("two\nlines\r\t\x7f"), "two\\x0alines\\x0d\\x09\\x7f");
  EXPECT_EQ(sanitizedForDisplay(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(sanitizedForDisplay("\xc2\x9b"
                                "31m"),
            "\\xc2\\x9b31m")
      << "control characters of the second kind, as UTF-8";
  EXPECT_EQ(sanitizedForDisplay("a\xe2\x80\xae"
                                "b"),
            "a\\xe2\\x80\\xaeb")
      << "turns the direction of writing";
}

TEST(SanitizedForDisplay, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(sanitizedForDisplay("caf\xe9.nii"), "caf\\xe9.nii");
  EXPECT_EQ(sanitizedForDisplay("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(sanitizedForDisplay("\xc0\xaf"), "\\xc0\\xaf") << "too long a code for its character";
  EXPECT_EQ(sanitizedForDisplay("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a surrogate pair";
  EXPECT_EQ(sanitizedForDisplay("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "beyond the last character";
}

TEST(WithoutStrayBytes, ShowsThoseAlone) {
  EXPECT_EQ(withoutStrayBytes("caf\xe9\n\x1b.nii"), "caf\\xe9\n\x1b.nii");
  EXPECT_EQ(withoutStrayBytes("\xc3\xa9\xc2\x85\xe2\x80\xae\xc3"), "\xc3\xa9\xc2\x85\xe2\x80\xae\\xc3");
}

TEST(SanitizedForDisplay, OmitsTheMiddle) {
  EXPECT_EQ(sanitizedForDisplay("abcdefghijkl", 12), "abcdefghijkl");
  EXPECT_EQ(sanitizedForDisplay("abcdefghijklm", 12), "abcdefgh…jklm");
  EXPECT_EQ(sanitizedForDisplay("ääääääääää", 9), "äää…ä") << "no character is cut";
  EXPECT_EQ(sanitizedForDisplay(std::string(100, '\x80'), 9), "…") << "no character begins there";
}

TEST(Error, IsPrintableAndBounded) {
  const Error error("\x1b]0;title\x07", std::string(100'000'000, 'x'), "do");
  const std::string text = error.what();
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_LT(text.size(), 2000u);
  EXPECT_EQ(text.substr(text.size() - 5), "): do");
}

TEST(EscapedForXml, LeavesNothingThatCouldBecomeATag) {
  EXPECT_EQ(escapedForXml("<a href=\"x\">Tom & 'Ann'"),
            "&lt;a href=&quot;x&quot;&gt;Tom &amp; &#39;Ann&#39;");
  EXPECT_EQ(escapedForXml("\x01 β").find('\x01'), std::string::npos);
  EXPECT_EQ(escapedForXml("β"), "β");
}

}  // namespace
}  // namespace sulcus
