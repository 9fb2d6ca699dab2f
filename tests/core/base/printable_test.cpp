#include "core/base/printable.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <gtest/gtest.h>

namespace sulcus {
namespace {

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text : {"", "scan.nii.gz", "Aufnahme 3 – größer.nii", "脳.nii", "🧠.nii", "a b'c\\d"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable("\x1b[31mred\x1b[0m"), "\\x1b[31mred\\x1b[0m");
  EXPECT_EQ(printable("two\nlines\r\t\x7f"), "two\\x0alines\\x0d\\x09\\x7f");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\xc2\\x9b31m")
      << "control characters of the second kind, as UTF-8";
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\xe2\\x80\\xaeb")
      << "turns the direction of writing";
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("caf\xe9.nii"), "caf\\xe9.nii");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "too long a code for its character";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half a surrogate pair";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80") << "beyond the last character";
}

TEST(WithoutStrayBytes, ShowsThoseAlone) {
  EXPECT_EQ(withoutStrayBytes("caf\xe9\n\x1b.nii"), "caf\\xe9\n\x1b.nii");
  EXPECT_EQ(withoutStrayBytes("\xc3\xa9\xc2\x85\xe2\x80\xae\xc3"), "\xc3\xa9\xc2\x85\xe2\x80\xae\\xc3");
}

TEST(Printable, LeavesOutTheMiddle) {
  EXPECT_EQ(printable("abcdefghijkl", 12), "abcdefghijkl");
  EXPECT_EQ(printable("abcdefghijklm", 12), "abcdefgh…jklm");
  EXPECT_EQ(printable("ääääääääää", 9), "äää…ä") << "no character is cut";
  EXPECT_EQ(printable(std::string(100, '\x80'), 9), "…") << "no character begins there";
}

TEST(Error, IsPrintableAndBounded) {
  const Error error("\x1b]0;title\x07", std::string(100'000'000, 'x'), "do");
  const std::string text = error.what();
  EXPECT_EQ(text.find('\x1b'), text.npos);
  EXPECT_LT(text.size(), 2000u);
  EXPECT_EQ(text.substr(text.size() - 5), "): do");
}

}  // namespace
}  // namespace sulcus
