#include "core/base/memory/memo.h"

#include "core/base/parallel/parallel_for.h"
#include "core/base/progress.h"

#include <atomic>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace sulcus {
namespace {

/// A memo of a computation that counts how often it computes.
class MemoTest : public testing::Test {
 protected:
  int ask(const std::string& key) {
    const auto answer = memo_(key, [this] { return ++asked_; });
    recalled_ = answer.recalled, seconds_ = answer.seconds;
    return answer.value;
  }

  Memo<std::string, int> memo_{2};
  int asked_ = 0;
  bool recalled_ = false;
  double seconds_ = 0;
};

TEST_F(MemoTest, ComputesOfAKeyOnce) {
  EXPECT_EQ(ask("a"), 1);
  EXPECT_FALSE(recalled_);
  const double took = seconds_;
  EXPECT_GT(took, 0);
  EXPECT_EQ(ask("a"), 1);
  EXPECT_TRUE(recalled_);
  EXPECT_EQ(seconds_, took);
}

TEST_F(MemoTest, ForgetsTheLeastRecentlyUsed) {
  ask("a"), ask("b");
  EXPECT_EQ(ask("a"), 1);
  EXPECT_EQ(ask("c"), 3);
  EXPECT_EQ(ask("a"), 1);
  EXPECT_EQ(ask("b"), 4);
}

TEST_F(MemoTest, KeepsNothingOfWhatFailed) {
  EXPECT_THROW(memo_("a", []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(ask("a"), 1);
  EXPECT_FALSE(recalled_);
}

TEST_F(MemoTest, MayBeAskedByManyThreads) {
  Memo<std::int64_t, std::int64_t> squares(8);
  std::atomic<int> wrong{0};
  parallelFor(1000, 1, Progress(), [&](std::int64_t i) {
    const std::int64_t key = i % 11;
    if (squares(key, [key] { return key * key; }).value != key * key) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(IdentityTest, DistinguishesObjects) {
  const auto one = std::make_shared<const int>(1), same = one, other = std::make_shared<const int>(1);
  EXPECT_EQ(Identity(one), Identity(same));
  EXPECT_FALSE(Identity(one) == Identity(other));
  EXPECT_FALSE(Identity(one) == Identity());
  EXPECT_EQ(Identity(), Identity(std::shared_ptr<const int>()));
}

TEST(IdentityTest, KeepsNothingAliveAndKnowsThatItIsGone) {
  auto object = std::make_shared<const int>(1);
  const Identity identity(object);
  const std::weak_ptr<const int> kept = object;
  object = nullptr;
  EXPECT_TRUE(kept.expired());
  EXPECT_FALSE(identity == Identity()) << "one that is no more is not the same as none";
  EXPECT_FALSE(identity == Identity(std::make_shared<const int>(1)));
}

}  // namespace
}  // namespace sulcus
