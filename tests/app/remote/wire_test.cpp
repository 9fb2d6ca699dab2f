#include "app/remote/wire.h"

#include "core/base/error.h"
#include "core/io/files.h"
#include "tests/support/temporary_folder.h"

#include <atomic>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace sulcus::app::remote {
namespace {

/// Two ends of a pipe, each of which can be closed.
struct Ends {
  int ends[2] = {-1, -1};
  Ends() { EXPECT_EQ(pipe(ends), 0); }
  ~Ends() { close(0), close(1); }
  void close(int end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

TEST(WireOfMessages, CarriesMessagesAndFiles) {
  const test::TemporaryFolder folder;
  std::string bytes;
  for (unsigned i = 0; i < 1000000; ++i) bytes += char(i * 7919 >> 5);  // more than a pipe holds
  std::ofstream(folder / "a", std::ios::binary) << bytes;
  Ends ends;
  std::thread sender([&] {
    Wire wire(-1, ends.ends[1]);
    wire.send({{"file", "a\n\"b\" ü"}});
    wire.sendFile(folder / "a", bytes.size(), {});
    wire.send({{"after", true}});
  });
  Wire wire(ends.ends[0], -1);
  EXPECT_EQ(wire.receive()["file"], "a\n\"b\" ü");
  wire.receiveFile(folder / "b", bytes.size(), {});
  EXPECT_EQ(wire.receive()["after"], true);
  sender.join();
  EXPECT_EQ(io::sha256OfFile(folder / "b"), io::sha256OfText(bytes));
}

TEST(WireOfMessages, ASignalIsNoNews) {
  Ends ends;
  std::atomic<bool> interrupted = false;
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, &before);
  const pthread_t waiting = pthread_self();
  std::thread signaller([&] {
    for (int i = 0; i < 10; ++i) {
      poll(nullptr, 0, 5);  // until the other thread waits
      pthread_kill(waiting, SIGUSR1);
    }
    interrupted = true;
  });
  Wire wire(ends.ends[0], -1, [&] { return interrupted.load(); });
  EXPECT_THROW(wire.receive(), Cancelled);
  signaller.join();
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(WireOfMessages, RefusesAFileLargerThanTheDisk) {
  const test::TemporaryFolder folder;
  Ends ends;
  Wire wire(ends.ends[0], -1);
  EXPECT_THROW(wire.receiveFile(folder / "a", std::uint64_t(-5), {}), Error);
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(WireOfMessages, PassesOverWhatALoginShellPrints) {
  Ends ends;
  const std::string said = "Welcome to server\n\n{\"sulcus\": \"1\"}\n";
  ASSERT_EQ(write(ends.ends[1], said.data(), said.size()), ssize_t(said.size()));
  EXPECT_EQ(Wire(ends.ends[0], -1).receive()["sulcus"], "1");
}

TEST(WireOfMessages, SaysWhenTheOtherSideHasGone) {
  Ends ends;
  const std::string said = "{\"half";
  ASSERT_EQ(write(ends.ends[1], said.data(), said.size()), ssize_t(said.size()));
  ends.close(1);
  EXPECT_THROW(Wire(ends.ends[0], -1).receive(), BrokenLine);
}

TEST(WireOfMessages, StopsWaitingWhenAskedTo) {
  Ends ends;
  EXPECT_THROW(Wire(ends.ends[0], -1, [] { return true; }).receive(), Cancelled);
  EXPECT_FALSE(Wire(ends.ends[0], -1).isWaiting(0));
}

}  // namespace
}  // namespace sulcus::app::remote
