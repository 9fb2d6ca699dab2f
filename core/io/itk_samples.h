// Includes ITK: only for the .cpp files that wrap it.
#pragma once

#include "core/io/samples.h"

#include <filesystem>
#include <string>

#include <itkCommonEnums.h>
#include <itkMacro.h>

namespace sulcus::io {

/// Throws Error naming `file` for a type that is no number.
SampleType sampleTypeOf(itk::CommonEnums::IOComponent component, const std::filesystem::path& file);

/// What an ITK exception says, without its class names and line breaks.
std::string reasonOf(const itk::ExceptionObject& fault);

}  // namespace sulcus::io
