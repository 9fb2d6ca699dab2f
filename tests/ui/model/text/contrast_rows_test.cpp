#include "ui/model/text/contrast_rows.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

const QStringList kNames{QStringLiteral("intercept"), QStringLiteral("faces"), QStringLiteral("houses"),
                         QStringLiteral("2 back")};
using Weights = std::vector<double>;

TEST(ContrastRowsTest, ReadSumsNumbersAndNames) {
  const auto rows =
      contrastRows(QStringLiteral("faces - houses; half: 0 0.5 0.5 0; -2 faces + \"2 back\""), kNames);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].weights, (Weights{0, 1, -1, 0}));
  EXPECT_EQ(rows[0].name, QString());
  EXPECT_EQ(rows[1].name, QStringLiteral("half"));
  EXPECT_EQ(rows[1].weights, (Weights{0, 0.5, 0.5, 0}));
  EXPECT_EQ(rows[2].weights, (Weights{0, -2, 0, 1}));
  EXPECT_TRUE(contrastRows(QString(), kNames).empty());
}

TEST(ContrastRowsTest, JoinRowsOfAnFContrast) {
  const auto rows = contrastRows(QStringLiteral("any: F(faces - houses; houses); F(faces, houses)"), kNames);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].joint, QStringLiteral("any"));
  EXPECT_EQ(rows[1].joint, QStringLiteral("any"));
  EXPECT_EQ(rows[1].weights, (Weights{0, 0, 1, 0}));
  EXPECT_EQ(rows[2].joint, QStringLiteral("F"));
}

TEST(ContrastRowsTest, KeepWhatIsNotASumOfTheseRegressors) {
  const auto rows = contrastRows(QStringLiteral("a - b; any: F(a; b); 0 1"), kNames);
  ASSERT_EQ(rows.size(), 3u);
  for (const ContrastRow& row : rows) EXPECT_TRUE(row.weights.empty());
  EXPECT_EQ(contrastText(rows, kNames), QStringLiteral("a - b; any: F(a; b); 0 1"));
}

TEST(ContrastRowsTest, AreTheSameWhenTheyHaveBeenWritten) {
  for (const char* text :
       {"faces - houses", "half: 0.5 faces + 0.5 houses", "any: F(faces - houses; d: houses)",
        "-2 faces + \"2 back\"", "a: faces; b: F(faces; houses); intercept"}) {
    const QString written = QString::fromLatin1(text);
    EXPECT_EQ(contrastText(contrastRows(written, kNames), kNames), written) << text;
  }
  EXPECT_EQ(contrastText({{QStringLiteral("new"), Weights(4, 0.0), {}, {}}}, kNames), QString())
      << "a row that weighs nothing yet is no contrast";
}

}  // namespace
}  // namespace sulcus::ui::model
