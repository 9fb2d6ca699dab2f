#include "app/analyses/registration/linear_memo.h"

#include <gtest/gtest.h>

namespace sulcus::app::analyses {
namespace {

/// A memo of an alignment that counts how often it computes.
class LinearMemoTest : public testing::Test {
 protected:
  LinearMemoTest() { input_.templateImage = image(), input_.reference = image(); }
  static std::shared_ptr<const Series<float>> image() {
    return std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1);
  }
  /// The number of alignments so far, from the returned translation.
  double ask(const registration::LinearOptions& options = registration::LinearAlignment::affine) {
    const auto alignment = align(options, {});
    recalled_ = alignment.recalled, seconds_ = alignment.seconds;
    return alignment.value.t.x;
  }
  LinearMemo::Answer align(const registration::LinearOptions& options, const Progress& progress) {
    return memo_({input_.templateImage, input_.reference, mask_, options, input_.initial}, [&] {
      progress.throwIfCancelled();
      Affine map;
      map.t.x = ++asked_;
      return map;
    });
  }

  int asked_ = 0;
  LinearMemo memo_;
  registration::RegistrationInput input_;
  std::shared_ptr<const void> mask_;
  bool recalled_ = false;
  double seconds_ = 0;
};

TEST_F(LinearMemoTest, AlignsTheSameImagesOnce) {
  EXPECT_EQ(ask(), 1);
  EXPECT_FALSE(recalled_);
  const double took = seconds_;
  EXPECT_GT(took, 0);
  EXPECT_EQ(ask(), 1);
  EXPECT_TRUE(recalled_);
  EXPECT_EQ(seconds_, took) << "a run that recalls it is compared with one that did not";
}

TEST_F(LinearMemoTest, AlignsAgainWhatIsNotTheSame) {
  ask();
  EXPECT_EQ(ask(registration::LinearAlignment::rigid), 2);
  mask_ = std::make_shared<int>(0);
  EXPECT_EQ(ask(registration::LinearAlignment::rigid), 3);
  mask_ = nullptr;
  EXPECT_EQ(ask(registration::LinearAlignment::rigid), 4);
  input_.reference = image();
  EXPECT_EQ(ask(registration::LinearAlignment::rigid), 5);
  input_.templateImage = image();
  EXPECT_EQ(ask(registration::LinearAlignment::rigid), 6);
  EXPECT_FALSE(recalled_);
  input_.initial.emplace().t = {1, 0, 0};
  const double before = asked_;
  EXPECT_EQ(ask(), before + 1) << "from another start";
  EXPECT_EQ(ask(), before + 1);
  EXPECT_EQ(ask({registration::LinearAlignment::affine, registration::LinearSimilarity::cr}), before + 2);
}

TEST_F(LinearMemoTest, KnowsThatAMaskIsGoneWithoutKeepingIt) {
  mask_ = std::make_shared<int>(0);
  ask();
  std::weak_ptr<const void> kept = mask_;
  mask_ = nullptr;
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(ask(), 2) << "a mask that is no more is not the same as none";
}

TEST_F(LinearMemoTest, ForgetsWhatWasCancelled) {
  ask();
  std::stop_source stop;
  stop.request_stop();
  input_.reference = image();
  EXPECT_ANY_THROW(align(registration::LinearAlignment::affine, Progress(stop.get_token(), {})));
  EXPECT_EQ(ask(), 2);
}

}  // namespace
}  // namespace sulcus::app::analyses
