#pragma once

#include "core/image/grid.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <itkMetaImageIO.h>
#include <itkNiftiImageIO.h>
#include <itkNrrdImageIO.h>

// Files as read by ITK's own readers. That library trusts headers too much for users' files; here it is
// compared with our readers on valid files.
namespace sulcus::test {

struct ItkImage {
  Grid grid;                  ///< mm, RAS+
  int volumes = 1;            ///< components or times
  double lastSpacing = 0;     ///< of the fourth dimension
  std::vector<float> values;  ///< volume by volume
};

inline ItkImage readByItk(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  itk::ImageIOBase::Pointer io;
  if (extension == ".nrrd" || extension == ".nhdr")
    io = itk::NrrdImageIO::New().GetPointer();
  else if (extension == ".nii")
    io = itk::NiftiImageIO::New().GetPointer();
  else
    io = itk::MetaImageIO::New().GetPointer();
  io->SetFileName(file.string());
  io->ReadImageInformation();
  ItkImage image;
  image.grid.size = {1, 1, 1};
  const unsigned dimensions = io->GetNumberOfDimensions();
  std::size_t components = io->GetNumberOfComponents(), times = 1;
  itk::ImageIORegion region(dimensions);
  for (unsigned axis = 0; axis < dimensions; ++axis) {
    region.SetSize(axis, io->GetDimensions(axis));
    if (axis == 3) times = io->GetDimensions(3), image.lastSpacing = io->GetSpacing(3);
    if (axis > 2) continue;
    image.grid.size[int(axis)] = int(io->GetDimensions(axis));
    const auto direction = io->GetDirection(axis);
    Affine& ras = image.grid.worldFromVoxel;
    for (unsigned world = 0; world < 3; ++world)
      ras.m[world][axis] = (world < 2 ? -1 : 1) *
                           (world < std::min(3u, dimensions) ? direction[world] * io->GetSpacing(axis) : 0.0);
    ras.t[int(axis)] = (axis < 2 ? -1 : 1) * io->GetOrigin(axis);
  }
  io->SetIORegion(region);
  std::vector<char> bytes(std::size_t(io->GetImageSizeInBytes()));
  io->Read(bytes.data());
  const std::size_t voxels = std::size_t(image.grid.voxels());
  image.volumes = int(components * times);
  image.values.resize(voxels * components * times);
  const auto each = io->GetComponentSize();
  using Component = itk::CommonEnums::IOComponent;
  const auto number = [&](std::size_t i) -> float {
    const auto as = [&]<class T>(T value) {
      std::copy_n(bytes.data() + i * each, sizeof value, reinterpret_cast<char*>(&value));
      return float(value);
    };
    switch (io->GetComponentType()) {
      case Component::CHAR:
        return as((signed char)0);
      case Component::UCHAR:
        return as((unsigned char)0);
      case Component::SHORT:
        return as(short(0));
      case Component::USHORT:
        return as((unsigned short)0);
      case Component::INT:
        return as(0);
      case Component::UINT:
        return as(0u);
      case Component::LONG:
      case Component::LONGLONG:
        return as(0ll);
      case Component::ULONG:
      case Component::ULONGLONG:
        return as(0ull);
      case Component::FLOAT:
        return as(0.0f);
      default:
        return as(0.0);
    }
  };
  for (std::size_t time = 0; time < times; ++time)
    for (std::size_t voxel = 0; voxel < voxels; ++voxel)
      for (std::size_t c = 0; c < components; ++c)
        image.values[voxel + voxels * (c + components * time)] =
            number(c + components * (voxel + voxels * time));
  return image;
}

}  // namespace sulcus::test
