#include "core/toolkits/hdf5_transforms.h"

#include "core/io/tables/itk_composite.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <hdf5.h>

namespace sulcus::toolkits {
namespace {

constexpr hsize_t kAtOnce = 1 << 20;  // numbers read at a time

/// A handle of the library that is released at the end. Below 0: none.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// The numbers or the text of a transform; none if the file has nothing of that name.
class Values {
 public:
  /// ITK misspelled the names of parameters until version 5.
  Values(hid_t group, std::initializer_list<const char*> names)
      : data_(openFirst(group, names), H5Dclose), space_(data_ < 0 ? -1 : H5Dget_space(data_), H5Sclose) {}

  hsize_t count() const {
    const hssize_t points = space_ < 0 ? 0 : H5Sget_simple_extent_npoints(space_);
    return hsize_t(std::max<hssize_t>(points, 0));
  }
  bool isThere() const { return data_ >= 0; }
  /// Whether all of them lie in this file. The library reads 0 for the values of virtual and external data
  /// sets, which lie in files that are not opened, and for values that were never written.
  bool isWhole() const {
    if (count() == 0) return true;
    const Handle made(H5Dget_create_plist(data_), H5Pclose);
    if (made < 0 || H5Pget_external_count(made) != 0) return false;
    const H5D_layout_t layout = H5Pget_layout(made);
    hsize_t chunk = 0, chunks = 0;
    if (layout == H5D_CHUNKED && H5Sget_simple_extent_ndims(space_) == 1)
      return H5Pget_chunk(made, 1, &chunk) == 1 && H5Dget_num_chunks(data_, space_, &chunks) >= 0 &&
             chunks == (count() + chunk - 1) / chunk;
    H5D_space_status_t written = H5D_SPACE_STATUS_ERROR;
    return layout != H5D_VIRTUAL && H5Dget_space_status(data_, &written) >= 0 &&
           written != H5D_SPACE_STATUS_NOT_ALLOCATED;
  }
  /// Whether they can be sent: one row of numbers, or nothing.
  bool isRow() const { return !isThere() || count() == 0 || H5Sget_simple_extent_ndims(space_) == 1; }

  std::string text() const {
    if (!isThere() || count() != 1) return {};
    const Handle type(H5Dget_type(data_), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING) return {};
    if (H5Tis_variable_str(type) > 0) {
      char* letters = nullptr;
      if (H5Dread(data_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &letters) < 0 || !letters) return {};
      const std::string text = letters;
      H5Dvlen_reclaim(type, space_, H5P_DEFAULT, &letters);
      return text;
    }
    std::string text(std::min<std::size_t>(H5Tget_size(type), 4096), '\0');
    if (text.size() != H5Tget_size(type) ||
        H5Dread(data_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
      return {};
    return text.substr(0, text.find('\0'));
  }

  bool tell(const std::function<bool(std::span<const char>)>& tell) const {
    std::vector<double> some;
    for (hsize_t from = 0; from < count(); from += some.size()) {
      const hsize_t size = std::min(kAtOnce, count() - from);
      some.resize(size);
      const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose);
      if (H5Sselect_hyperslab(space_, H5S_SELECT_SET, &from, nullptr, &size, nullptr) < 0 ||
          H5Dread(data_, H5T_NATIVE_DOUBLE, memory, space_, H5P_DEFAULT, some.data()) < 0 ||
          !tell({reinterpret_cast<const char*>(some.data()), some.size() * sizeof(double)}))
        return false;
    }
    return true;
  }

 private:
  static hid_t openFirst(hid_t group, std::initializer_list<const char*> names) {
    for (const char* const name : names)
      if (H5Lexists(group, name, H5P_DEFAULT) > 0) return H5Dopen2(group, name, H5P_DEFAULT);
    return -1;
  }

  Handle data_, space_;
};

/// Opens the file from memory, which the library copies.
hid_t openImage(std::vector<char> bytes) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (H5Pset_fapl_core(access, 1 << 20, 0) < 0 || H5Pset_file_image(access, bytes.data(), bytes.size()) < 0)
    return -1;
  bytes = {};
  return H5Fopen("transforms", H5F_ACC_RDONLY, access);
}

}  // namespace

bool tellTransforms(std::vector<char> bytes, const std::function<bool(std::span<const char>)>& tell) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle file(openImage(std::move(bytes)), H5Fclose);
  const auto groupOf = [](std::uint32_t i) { return "/TransformGroup/" + std::to_string(i); };
  io::TransformList list;
  if (file >= 0 && H5Lexists(file, "/TransformGroup", H5P_DEFAULT) > 0)
    while (list.count < io::TransformList::kMost &&
           H5Lexists(file, groupOf(list.count).c_str(), H5P_DEFAULT) > 0)
      ++list.count;
  if (!tell({reinterpret_cast<const char*>(&list), sizeof list})) return false;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const Handle group(H5Gopen2(file, groupOf(i).c_str(), H5P_DEFAULT), H5Gclose);
    if (group < 0) return false;
    const Values type(group, {"TransformType"}),
        fixed(group, {"TransformFixedParameters", "TranformFixedParameters"}),
        parameters(group, {"TransformParameters", "TranformParameters"});
    io::TransformHead head;
    if (!type.isWhole() || !fixed.isWhole() || !parameters.isWhole()) {
      head.isWhole = 0;
      tell({reinterpret_cast<const char*>(&head), sizeof head});
      return false;
    }
    const std::string name = type.text();
    if (name.empty() || name.size() >= head.type.size() || !fixed.isRow() || !parameters.isRow())
      return false;
    std::copy(name.begin(), name.end(), head.type.begin());
    head.fixed = fixed.count();
    head.parameters = parameters.count();
    if (!tell({reinterpret_cast<const char*>(&head), sizeof head}) || !fixed.tell(tell) ||
        !parameters.tell(tell))
      return false;
  }
  return true;
}

}  // namespace sulcus::toolkits
