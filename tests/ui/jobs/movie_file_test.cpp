#include "ui/jobs/movie_file.h"

#include "core/io/export/png.h"
#include "core/io/files.h"
#include "tests/support/expect_error.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <set>
#include <stop_token>

#include <gtest/gtest.h>

namespace sulcus::ui::jobs {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The names of all files in a folder, including hidden ones.
std::set<std::string> namesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

struct MovieFile : testing::Test {
  test::TemporaryFolder folder;
  MovieFrames frames{3};

  void fill() {
    for (int i = 0; i < 3; ++i) frames.put([i] { return "frame " + std::to_string(i); });
  }
};

TEST_F(MovieFile, IsAFolderOfPicturesThatAppearsWhole) {
  fill();
  writeMovie(frames, 10, folder.path() / "turn", "{}", {});
  EXPECT_EQ(namesIn(folder.path()), std::set<std::string>{"turn"});
  EXPECT_EQ(namesIn(folder.path() / "turn"),
            (std::set<std::string>{"frame_0001.png", "frame_0002.png", "frame_0003.png", "movie.json"}));
  EXPECT_EQ(textOf(folder.path() / "turn/frame_0003.png"), "frame 2");
  EXPECT_TRUE(frames.closed());
}

TEST_F(MovieFile, ReplacesNoFolder) {
  fill();
  fs::create_directory(folder.path() / "turn");
  test::expectError([&] { writeMovie(frames, 10, folder.path() / "turn", "{}", {}); }, {"exists already"});
  EXPECT_TRUE(frames.closed()) << "the window draws no more";
}

TEST_F(MovieFile, LeavesNothingWhenItIsCancelled) {
  frames.put([] { return "frame"; });
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double, std::string_view) { stop.request_stop(); });
  EXPECT_THROW(writeMovie(frames, 10, folder.path() / "turn", "{}", progress), Cancelled);
  EXPECT_EQ(namesIn(folder.path()), std::set<std::string>{});
}

TEST_F(MovieFile, KeepsFewFramesOnTheWay) {
  EXPECT_TRUE(frames.hasRoom());
  fill();
  EXPECT_FALSE(frames.hasRoom());
  frames.take({});
  EXPECT_TRUE(frames.hasRoom());
}

TEST_F(MovieFile, OfNoPicturesIsRefusedByFfmpegWithItsWords) {
  if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  fill();
  test::expectError([&] { writeMovie(frames, 10, folder.path() / "turn.mp4", "{}", {}); },
                    {"ffmpeg failed to write the movie"});
  EXPECT_EQ(namesIn(folder.path()), std::set<std::string>{});
}

TEST_F(MovieFile, OfOddPicturesIsAnMp4WhateverItIsCalled) {
  if (!hasFfmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
  const std::string frame = io::pngBytes({17, 11, std::vector<std::uint8_t>(17 * 11 * 3, 90)});
  for (int i = 0; i < 3; ++i) frames.put([frame] { return frame; });
  const std::string name = "50 % %d: turn.mp4";
  writeMovie(frames, 12.5, folder.path() / name, "{}", {});
  EXPECT_EQ(namesIn(folder.path()), (std::set<std::string>{name, name + ".json"}));
  EXPECT_EQ(textOf(folder.path() / name).substr(4, 4), "ftyp");
}

}  // namespace
}  // namespace sulcus::ui::jobs
