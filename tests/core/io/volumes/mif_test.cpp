#include "tests/core/io/io_test_support.h"

#include <cmath>
#include <numbers>

namespace sulcus::io {
namespace {

using namespace test;

struct Mif : VolumeBytesTest {
  Mif() : VolumeBytesTest("scan.mif") {}

  /// A header of 2 × 3 × 2 voxels with additional lines, and data from byte 400 on.
  template <class T>
  std::string file(const std::vector<T>& values, const std::string& type,
                   const std::string& layout = "+0,+1,+2", const std::string& more = "",
                   const std::string& dim = "2,3,2") const {
    std::string text = "mrtrix image\ndim: " + dim + "\nvox: 2,3,4\nlayout: " + layout +
                       "\ndatatype: " + type + "\n" + more + "file: . 400\nEND\n";
    EXPECT_LE(text.size(), 400u);
    text.resize(400, '\0');
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return text;
  }
  static std::vector<float> counting(int n) {
    std::vector<float> values;
    for (int i = 0; i < n; ++i) values.push_back(float(i));
    return values;
  }
};

constexpr const char* kTransform = "transform: 1,0,0,-10\ntransform: 0,0,-1,20\ntransform: 0,1,0,30\n";

TEST_F(Mif, ReadsTheGridOfItsTransform) {
  const Layer layer = opened(file(counting(12), "Float32LE", "+0,+1,+2", kTransform));
  const double expected[3][4] = {{2, 0, 0, -10}, {0, 0, -4, 20}, {0, 3, 0, 30}};
  expectAffine(gridOf(layer)->worldFromVoxel, expected, 1e-12);
  EXPECT_EQ(seriesOf(layer).values, counting(12));
}

TEST_F(Mif, ReadsAxesInAnyOrderAndDirection) {
  // z runs fastest, then x in reverse, then y.
  const Layer layer = opened(file(counting(12), "Float32LE", "-1,+2,+0", kTransform));
  const auto& values = seriesOf(layer).values;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 2; ++x)
        EXPECT_EQ(values[std::size_t(x + 2 * (y + 3 * z))], z + 2 * (1 - x) + 4 * y);
}

TEST_F(Mif, ReadsVolumesThatLieTogetherWithTheirGradients) {
  const Layer layer =
      opened(file(counting(24), "Float32LE", "+1,+2,+3,+0",
                  std::string(kTransform) + "dw_scheme: 0,0,0,0\ndw_scheme: 0,1,0,1000\n", "2,3,2,2"));
  const auto& volume = std::get<VolumeLayer>(layer.content);
  EXPECT_EQ(volume.series->at(3, 0), 6);
  EXPECT_EQ(volume.series->at(3, 1), 7);
  ASSERT_EQ(volume.gradients.rows.size(), 2u);
  EXPECT_EQ(volume.gradients.rows[1].directionWorld, (Vec3<double>{0, 1, 0}));
  EXPECT_EQ(volume.gradients.rows[1].b, 1000);
}

TEST_F(Mif, ReadsTheTimeBetweenVolumes) {
  const auto seconds = [&](const std::string& fourth) {
    std::string text = file(counting(24), "Float32LE", "+0,+1,+2,+3", kTransform, "2,3,2,2");
    const std::string vox = "vox: 2,3,4";
    text.replace(text.find(vox), vox.size(), vox + fourth);
    text.erase(text.find("END\n") + 4, fourth.size());  // data begin at byte 400
    return std::get<VolumeLayer>(opened(text).content).secondsPerVolume;
  };
  EXPECT_EQ(seconds(",2.5"), 2.5);
  EXPECT_EQ(seconds(""), 0);
  EXPECT_EQ(seconds(",0"), 0);
}

TEST_F(Mif, ReadsBitsScaledAndCompressedNumbers) {
  const std::vector<unsigned char> bits{0b10110000, 0b00010000};
  const Layer mask = opened(file(bits, "Bit"));
  const std::vector<float> expected{1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1};
  const auto* labels = std::get_if<LabelsLayer>(&mask.content);
  const std::vector<float> found =
      labels ? std::vector<float>(labels->labels->values.begin(), labels->labels->values.end())
             : seriesOf(mask).values;
  EXPECT_EQ(found, expected);
  std::vector<std::int16_t> whole(12, 7);
  const Layer scaled = opened(file(whole, "Int16LE", "+0,+1,+2", "scaling: 1,0.5\n"));
  EXPECT_EQ(seriesOf(scaled).values, std::vector<float>(12, 4.5F));
  writeGzip(folder_ / "scan.mif.gz", file(counting(12), "Float32LE"));
  EXPECT_EQ(seriesOf(io::openLayer(folder_ / "scan.mif.gz")).values, counting(12));
}

TEST_F(Mif, ReadsNumbersOfAnotherFile) {
  const std::vector<float> values = counting(12);
  writeBytes(folder_ / "numbers.dat",
             std::string(reinterpret_cast<const char*>(values.data()), 12 * sizeof(float)));
  const std::string header =
      "mrtrix image\ndim: 2,3,2\nvox: 1,1,1\nlayout: +0,+1,+2\ndatatype: Float32LE\nfile: numbers.dat "
      "0\nEND\n";
  EXPECT_EQ(seriesOf(opened(header, "scan.mih")).values, values);
  writeBytes(folder_ / "scan.mih", header);
  expectError(
      [&] {
        opened(
            "mrtrix image\ndim: 2,3,2\nvox: 1,1,1\nlayout: +0,+1,+2\ndatatype: Float32LE\n"
            "file: ../outside.dat 0\nEND\n",
            "scan.mih");
      },
      {"outside.dat"});
}

TEST_F(Mif, ShowsComplexNumbersAsMagnitudeAndPhase) {
  std::vector<float> pairs(24, 0);
  pairs[0] = 3, pairs[1] = 4, pairs[2] = -2;
  writeBytes(folder_ / "complex.mif", file(pairs, "CFloat32LE"));
  const auto layers = io::openLayers(folder_ / "complex.mif");
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(seriesOf(layers[0]).values[0], 5);
  EXPECT_EQ(layers[1].name, "complex_phase");
  EXPECT_EQ(layers[1].unit, "rad");
  EXPECT_FLOAT_EQ(seriesOf(layers[1]).values[0], std::atan2(4.F, 3.F));
  EXPECT_FLOAT_EQ(seriesOf(layers[1]).values[1], float(std::numbers::pi));
}

TEST_F(Mif, RefusesHeadersThatMakeNoSense) {
  const std::vector<float> values = counting(12);
  const auto refuses = [&](const std::string& bytes, std::initializer_list<const char*> parts) {
    SCOPED_TRACE(*parts.begin());
    std::vector<std::string> wanted{"scan.mif"};
    for (const char* part : parts) wanted.emplace_back(part);
    try {
      opened(bytes);
      ADD_FAILURE() << "was opened";
    } catch (const Error& fault) {
      for (const auto& part : wanted)
        EXPECT_NE(std::string(fault.what()).find(part), std::string::npos) << fault.what();
    }
  };
  refuses(file(values, "Float16LE"), {"float16"});
  refuses(file(values, "Float32LE", "+0,+0,+2"), {"two axes one place"});
  refuses(file(values, "Float32LE", "+0,+1,+9"), {"'layout'"});
  refuses(file(values, "Float32LE", "+0,+1"), {"not as many axes"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "", "2,0,2"), {"an invalid size"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "", "2,3"), {"2 dimensions"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "", "2000000000,2000000000,2000000000"), {"larger than any"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "", "20,30,20"), {"shorter"});
  refuses(file(values, "Float32LE", "+0,+1,+2,+3,+4", "", "2,3,2,1,2"), {"5 dimensions"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "transform: 1,0,0\ntransform: 0,1,0\ntransform: 0,0,1\n"),
          {"'transform'"});
  refuses(
      file(values, "Float32LE", "+0,+1,+2", "transform: 1,0,0,0\ntransform: 1,0,0,0\ntransform: 0,0,1,0\n"),
      {"no usable size"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "scaling: 1,nan\n"), {"'scaling'"});
  refuses(file(values, "Float32LE", "+0,+1,+2", "datatype: Float32LE\n"), {"more than once"});
  refuses("mrtrix image\ndim: 2,3,2\n", {"no end"});
  refuses("mrtrix image\nEND\n", {"'datatype'"});
}

}  // namespace
}  // namespace sulcus::io
