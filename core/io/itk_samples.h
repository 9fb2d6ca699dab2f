#pragma once

#include "core/io/samples.h"

#include <filesystem>
#include <string>

namespace sulcus::io {

/// `component`: an itk::CommonEnums::IOComponent. Throws Error naming `file` for a type that is no number.
SampleType itkSampleType(int component, const std::filesystem::path& file);

/// The reason in the description of an ITK exception, without its class names and line breaks.
std::string itkReason(std::string description);

}  // namespace sulcus::io
