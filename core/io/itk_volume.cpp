#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/formats.h"
#include "core/io/geometry.h"
#include "core/io/itk_samples.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cmath>
#include <string>

#include <itkMetaImageIO.h>
#include <itkNrrdImageIO.h>

// ITK's readers are used below the level of its image templates: header, then raw numbers.
namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

itk::ImageIOBase::Pointer makeIo(ItkFormat format) {
  itk::Object::SetGlobalWarningDisplay(false);  // errors are thrown; nothing is printed
  if (format == ItkFormat::nrrd) return itk::NrrdImageIO::New().GetPointer();
  return itk::MetaImageIO::New().GetPointer();
}

/// Up to three spatial axes; LPS+ becomes RAS+.
Grid gridFrom(const itk::ImageIOBase& io, const fs::path& file) {
  Grid grid;
  grid.size = {1, 1, 1};
  Affine lps;
  const unsigned spatial = std::min(3u, io.GetNumberOfDimensions());
  for (unsigned axis = 0; axis < spatial; ++axis) {
    const auto extent = io.GetDimensions(axis);
    if (extent < 1 || extent > INT_MAX)
      throw Error(quoted(file) + " has " + std::to_string(extent) + " voxels along dimension " +
                      std::to_string(axis + 1),
                  "that is no size of a scan", "the header is damaged; convert the scan again");
    grid.size[int(axis)] = int(extent);
    const std::vector<double> direction = io.GetDirection(axis);
    for (unsigned world = 0; world < spatial; ++world)
      lps.m[world][axis] = io.GetSpacing(axis) * (world < direction.size() ? direction[world] : 0);
    lps.t[int(axis)] = io.GetOrigin(axis);
  }
  grid.worldFromVoxel = flipLps(lps);
  if (!usable(grid.worldFromVoxel))
    throw Error(quoted(file) + " has no usable orientation", "its voxel axes are singular or not finite",
                "the header is damaged; convert the scan again");
  return grid;
}

void swapBytes(std::vector<char>& numbers, std::size_t each) {
  for (std::size_t at = 0; each > 1 && at + each <= numbers.size(); at += each)
    std::reverse(numbers.begin() + std::ptrdiff_t(at), numbers.begin() + std::ptrdiff_t(at + each));
}

void requireScalars(const itk::ImageIOBase& io, const fs::path& file) {
  const auto pixel = io.GetPixelType();
  const bool bytes = io.GetComponentType() == itk::CommonEnums::IOComponent::UCHAR;
  const auto components = io.GetNumberOfComponents();
  if (pixel == itk::CommonEnums::IOPixel::RGB || pixel == itk::CommonEnums::IOPixel::RGBA ||
      (bytes && (components == 3 || components == 4)))
    throw Error(quoted(file) + " is a color image", "Sulcus works on one number per voxel",
                "convert it to gray values, or save the map it was made from");
  if (pixel == itk::CommonEnums::IOPixel::COMPLEX)
    throw Error(quoted(file) + " holds complex numbers", "Sulcus works on one number per voxel",
                "save magnitude or phase as a scan of its own");
}

/// The file's own size and that of every file of its folder it might name: a bound for what it can hold.
std::uint64_t bytesAtHand(const fs::path& file) {
  std::error_code fault;
  std::uint64_t bytes = fs::file_size(file, fault);
  const std::string extension = file.extension().string();
  if (extension != ".nhdr" && extension != ".mhd") return bytes;
  for (const auto& entry :
       fs::directory_iterator(file.has_parent_path() ? file.parent_path() : fs::path("."), fault))
    if (entry.is_regular_file(fault)) bytes += entry.file_size(fault);
  return bytes;
}

/// The numbers of a file whose header has been read, `bytes` bytes of them, in this machine's byte order.
std::vector<char> numbersOf(itk::ImageIOBase& io, ItkFormat format, const fs::path& file,
                            std::uint64_t bytes) {
  if (format == ItkFormat::metaImage) {
    std::vector<char> numbers = readMetaImageNumbers(file, bytes);
    if (io.GetByteOrder() == itk::CommonEnums::IOByteOrder::BigEndian)
      swapBytes(numbers, io.GetComponentSize());
    return numbers;
  }
  std::vector<char> numbers(bytes);
  itk::ImageIORegion region(io.GetNumberOfDimensions());
  for (unsigned axis = 0; axis < io.GetNumberOfDimensions(); ++axis)
    region.SetSize(axis, io.GetDimensions(axis));
  io.SetIORegion(region);
  io.Read(numbers.data());
  return numbers;
}

RawImage read(itk::ImageIOBase& io, ItkFormat format, const fs::path& file, ReadAs as,
              const std::string& kind, const Progress& progress) {
  if (format == ItkFormat::metaImage) requireMetaImageHeader(file);
  io.SetFileName(file.string());
  io.ReadImageInformation();
  requireScalars(io, file);
  const unsigned dimensions = io.GetNumberOfDimensions();
  if (dimensions < 2 || dimensions > 4)
    throw Error(quoted(file) + " has " + std::to_string(dimensions) + " dimensions",
                "Sulcus reads 2D to 4D scans", "split it into 4D files");
  RawImage image;
  const Grid grid = gridFrom(io, file);
  const std::uint64_t components = io.GetNumberOfComponents();
  const std::uint64_t times = dimensions == 4 ? io.GetDimensions(3) : 1;
  if (components > 1 && times > 1)
    throw Error(
        quoted(file) + " is a series of images with " + std::to_string(components) + " numbers per voxel",
        "Sulcus reads series of single numbers", "split it into one file per time or per component");
  const SampleType type = itkSampleType(int(io.GetComponentType()), file);
  std::uint64_t count = components * times, bytes = sampleBytes(type);
  for (const std::uint64_t factor :
       {std::uint64_t(grid.size.x), std::uint64_t(grid.size.y), std::uint64_t(grid.size.z), count})
    if (factor == 0 || factor > INT_MAX || __builtin_mul_overflow(bytes, factor, &bytes) ||
        bytes > LLONG_MAX / 64)
      throw Error(quoted(file) + " says it is larger than any file can be", describeGrid(grid),
                  "the header is damaged; convert the scan again");
  constexpr std::uint64_t kLargestRatio = 1100;  // of deflate
  if (bytes / kLargestRatio > bytesAtHand(file))
    throw Error(quoted(file) + " cannot be as large as its header says",
                byteText(double(bytes)) + " do not fit into " + byteText(double(bytesAtHand(file))),
                "copy or download it again");
  const std::uint64_t values = bytes / sampleBytes(type);
  requireMemory(bytes + values * sizeof(float), file);

  progress.update(0.1);
  const std::vector<char> buffer = numbersOf(io, format, file, bytes);
  progress.update(0.7);

  image.storedAsFloat = isFloat(type);
  image.notes.push_back(storedNote(type));
  image.notes.push_back("Orientation from the header (LPS turned into RAS).");
  image.notes.push_back(handednessNote(grid));
  if (as == ReadAs::labels && count == 1) {
    image.labels.emplace(grid);
    detail::convert<std::int32_t>(type, buffer.data(), false, {}, image.labels->values);
    return image;
  }
  std::vector<float> numbers(values);
  detail::convert<float>(type, buffer.data(), false, {}, numbers);
  image.series.grid = grid;
  image.series.count = int(count);
  if (components == 1) {
    image.series.values = std::move(numbers);
  } else {  // the components of a voxel lie together: part them into volumes
    image.series = Series<float>(grid, int(count));
    for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel)
      for (int c = 0; c < int(count); ++c)
        image.series.at(voxel, c) = numbers[std::size_t(voxel) * count + c];
  }
  image.displacement = components == 3 && isFloat(type) && (kind.empty() || kind == "displacement");
  if (image.displacement) {
    for (int c = 0; c < 2; ++c) {
      const auto volume = image.series.volume(c);
      for (std::int64_t i = 0; i < volume.voxels(); ++i) volume.data[i] = -volume.data[i];
    }
    image.notes.push_back(
        "Three numbers per voxel: taken as a displacement by ITK's convention (LPS mm), turned into RAS.");
  }
  // 1 is what these formats hold when nobody gave a time.
  if (const double seconds = times > 1 ? io.GetSpacing(3) : 0;
      std::isfinite(seconds) && seconds > 0 && seconds != 1)
    image.secondsPerVolume = seconds;
  return image;
}

/// The layer's numbers as ITK wants them written, with their type.
void describe(itk::ImageIOBase& io, const Grid& grid, unsigned dimensions, int count, double seconds) {
  io.SetNumberOfDimensions(dimensions);
  const Affine lps = flipLps(grid.worldFromVoxel);
  const Vec3<double> spacing = grid.spacing();
  itk::ImageIORegion region(dimensions);
  for (unsigned axis = 0; axis < dimensions; ++axis) {
    std::vector<double> direction(dimensions, 0.0);
    if (axis < 3) {
      for (unsigned world = 0; world < 3; ++world) direction[world] = lps.m[world][axis] / spacing[int(axis)];
      io.SetDimensions(axis, grid.size[int(axis)]);
      io.SetSpacing(axis, spacing[int(axis)]);
      io.SetOrigin(axis, lps.t[int(axis)]);
    } else {
      direction[axis] = 1;
      io.SetDimensions(axis, count);
      io.SetSpacing(axis, seconds > 0 ? seconds : 1);
      io.SetOrigin(axis, 0);
    }
    io.SetDirection(axis, direction);
    region.SetSize(axis, io.GetDimensions(axis));
  }
  io.SetIORegion(region);
  io.SetUseCompression(true);
}

}  // namespace

SampleType itkSampleType(int component, const fs::path& file) {
  using Component = itk::CommonEnums::IOComponent;
  switch (static_cast<Component>(component)) {
    case Component::UCHAR:
      return SampleType::u8;
    case Component::CHAR:
      return SampleType::i8;
    case Component::USHORT:
      return SampleType::u16;
    case Component::SHORT:
      return SampleType::i16;
    case Component::UINT:
      return SampleType::u32;
    case Component::INT:
      return SampleType::i32;
    case Component::ULONG:
    case Component::ULONGLONG:
      return SampleType::u64;
    case Component::LONG:
    case Component::LONGLONG:
      return SampleType::i64;
    case Component::FLOAT:
      return SampleType::f32;
    case Component::DOUBLE:
      return SampleType::f64;
    default:
      throw Error(quoted(file) + " holds numbers of an unknown type", "their size is not known",
                  "convert the scan to NIfTI");
  }
}

std::string itkReason(std::string text) {
  for (char& c : text)
    if (!std::isprint((unsigned char)c)) c = ' ';
  // Class names and callers come first, the reason last.
  if (const auto colon = text.find("): "); colon != std::string::npos) text = text.substr(colon + 3);
  if (const auto inner = text.rfind("[nrrd] "); inner != std::string::npos) text = text.substr(inner + 7);
  const auto first = text.find_first_not_of(' ');
  text = first == std::string::npos ? "no reason given" : text.substr(first);
  if (text.size() > 200) text = text.substr(0, 200) + "…";
  return text;
}

RawImage readItk(const fs::path& file, ItkFormat format, ReadAs as, const std::string& kind,
                 const Progress& progress) try {
  const auto io = makeIo(format);
  RawImage image = read(*io, format, file, as, kind, progress);
  if (format == ItkFormat::nrrd && !image.displacement && image.series.count > 1) try {
      image.gradients = readNrrdGradients(file, image.series.count);
    } catch (const Error& fault) {
      image.gradients.source = fault.what();
    }
  return image;
} catch (const itk::ExceptionObject& fault) {
  throw Error(quoted(file) + " cannot be read", itkReason(fault.GetDescription()),
              "copy, download or convert it again");
}

void writeItk(const Layer& layer, const fs::path& to, const fs::path& file, ItkFormat format) try {
  using Component = itk::CommonEnums::IOComponent;
  const auto io = makeIo(format);
  io->SetFileName(to.string());
  const Grid& grid = *gridOf(layer);
  const auto writeFloats = [&](const Series<float>& series, double seconds) {
    describe(*io, grid, series.count > 1 ? 4 : 3, series.count, seconds);
    io->SetComponentType(Component::FLOAT);
    io->SetPixelType(itk::CommonEnums::IOPixel::SCALAR);
    io->SetNumberOfComponents(1);
    io->Write(series.values.data());
  };
  if (const auto* labels = std::get_if<LabelsLayer>(&layer.content)) {
    describe(*io, grid, 3, 1, 0);
    io->SetComponentType(Component::INT);
    io->SetPixelType(itk::CommonEnums::IOPixel::SCALAR);
    io->SetNumberOfComponents(1);
    io->Write(labels->labels->values.data());
  } else if (const auto* field = std::get_if<DisplacementLayer>(&layer.content)) {
    describe(*io, grid, 3, 1, 0);
    io->SetComponentType(Component::FLOAT);
    io->SetPixelType(itk::CommonEnums::IOPixel::VECTOR);
    io->SetNumberOfComponents(3);
    const Series<float>& u = *field->displacement;
    std::vector<float> together(u.values.size());
    for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel)
      for (int c = 0; c < 3; ++c) together[std::size_t(voxel) * 3 + c] = (c < 2 ? -1 : 1) * u.at(voxel, c);
    io->Write(together.data());
  } else if (const auto* peaks = std::get_if<PeaksLayer>(&layer.content)) {
    writeFloats(*peaks->peaks, 0);
  } else {
    const auto& volume = std::get<VolumeLayer>(layer.content);
    writeFloats(*volume.series, volume.secondsPerVolume);
  }
} catch (const itk::ExceptionObject& fault) {
  throw Error("Cannot write " + quoted(file), itkReason(fault.GetDescription()),
              "check the disk or choose another folder");
}

}  // namespace sulcus::io
