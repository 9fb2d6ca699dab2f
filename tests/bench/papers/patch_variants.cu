#include "gpu/runtime/blocks.h"
#include "gpu/runtime/buffer.h"
#include "gpu/surface/neighbors.h"
#include "tests/bench/papers/device_facts.h"
#include "tests/bench/papers/patch_variants.h"

#include <algorithm>

namespace sulcus::bench {
namespace {

__constant__ float kSubset[kPatchesPerPass * (1 + kPaperPatch)];

struct PatchPass {
  const float* patches;  ///< for each element: its number, then 125 values
  int elements, first, count;
  cudaTextureObject_t texture;  ///< of the same
  float* distance;
  std::int32_t* index;
  std::int32_t* found;
};

template <PatchMemory Memory>
__device__ float subsetValue(const PatchPass& pass, int patch, int i) {
  if constexpr (Memory == PatchMemory::constant) {
    return kSubset[patch * (1 + kPaperPatch) + i];
  } else {
    const int at = (pass.first + patch) * (1 + kPaperPatch) + i;
    if constexpr (Memory == PatchMemory::texture)
      return tex1Dfetch<float>(pass.texture, at);
    else
      return pass.patches[at];
  }
}

/// Each thread compares its element with the subset and keeps its list sorted by insertion.
template <PatchMemory Memory>
__global__ void comparePatches(PatchPass pass) {
  extern __shared__ float shared[];
  const int element = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (element >= pass.elements) return;
  float* const patch = shared + threadIdx.x * (kElementFloats + (kElementFloats + 1) % 2);
  float* const distance = patch + 1 + kPaperPatch;
  std::int32_t* const index = reinterpret_cast<std::int32_t*>(distance + kPaperNeighbors);
  for (int i = 0; i <= kPaperPatch; ++i)
    patch[i] = pass.patches[std::int64_t(element) * (1 + kPaperPatch) + i];
  int found = pass.found[element];
  const std::int64_t list = std::int64_t(element) * kPaperNeighbors;
  for (int i = 0; i < found; ++i) distance[i] = pass.distance[list + i], index[i] = pass.index[list + i];
  for (int other = 0; other < pass.count; ++other) {
    if (pass.first + other == element) continue;
    float d = 0;
    for (int i = 1; i <= kPaperPatch; ++i) {
      const float difference = patch[i] - subsetValue<Memory>(pass, other, i);
      d += difference * difference;
    }
    if (found == kPaperNeighbors && !(d < distance[found - 1])) continue;
    int place = found < kPaperNeighbors ? found++ : found - 1;
    for (; place > 0 && d < distance[place - 1]; --place)
      distance[place] = distance[place - 1], index[place] = index[place - 1];
    distance[place] = d, index[place] = pass.first + other;
  }
  pass.found[element] = found;
  for (int i = 0; i < found; ++i) pass.distance[list + i] = distance[i], pass.index[list + i] = index[i];
}

/// A texture over a buffer.
class PatchTexture {
 public:
  explicit PatchTexture(gpu::Buffer<float>& buffer) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = buffer.data();
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = std::size_t(buffer.bytes());
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    SULCUS_CUDA(cudaCreateTextureObject(&texture_, &resource, &description, nullptr));
  }
  ~PatchTexture() { cudaDestroyTextureObject(texture_); }
  PatchTexture(const PatchTexture&) = delete;
  PatchTexture& operator=(const PatchTexture&) = delete;
  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

constexpr std::int64_t kElementBytes = 4 * (kElementFloats + (kElementFloats + 1) % 2);

auto kernelOf(PatchMemory memory) {
  return memory == PatchMemory::global     ? comparePatches<PatchMemory::global>
         : memory == PatchMemory::constant ? comparePatches<PatchMemory::constant>
                                           : comparePatches<PatchMemory::texture>;
}

/// The shared memory available to a block if `blocks` are to fit.
std::int64_t sharedShare(int blocks) {
  const std::int64_t share = (deviceFacts().sharedBytes / blocks - 1024) / 1024 * 1024;
  return std::min<std::int64_t>(share, gpu::sharedBytesPerBlock());
}

}  // namespace

PatchLayout fullLayout(int blocks) {
  gpu::requireDevice();
  return {int(sharedShare(blocks) / kElementBytes), blocks};
}

double deviceNumbersOfElement() {
  constexpr std::int64_t many = 1'000'000;
  return double(gpu::surface::DeviceSearch::bytes(many, 0, kPaperSide, kPaperNeighbors)) / many /
         sizeof(float);
}

PatchRun searchByPasses(const surface::Band& band, PatchMemory memory, const PatchLayout& layout) {
  gpu::requireDevice();
  const auto kernel = kernelOf(memory);
  const int elements = int(band.count());
  PatchRun run;
  cudaFuncAttributes attributes{};
  SULCUS_CUDA(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  run.registers = attributes.numRegs, run.sharedBytes = layout.elements * kElementBytes;
  const std::int64_t asked = std::max(run.sharedBytes, sharedShare(layout.blocks));
  SULCUS_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                   cudaFuncAttributeMaxDynamicSharedMemorySize, int(asked)));

  const surface::Patches made = surface::patchesOf(band, {});
  std::vector<float> numbered;
  numbered.reserve(std::size_t(elements) * (1 + kPaperPatch));
  for (int e = 0; e < elements; ++e) {
    numbered.push_back(float(e));
    numbered.insert(numbered.end(), made.of(e), made.of(e) + kPaperPatch);
  }
  const gpu::Stream stream;
  auto patches = gpu::uploaded(std::span<const float>(numbered), stream);
  const PatchTexture texture(patches);
  const std::int64_t entries = std::int64_t(elements) * kPaperNeighbors;
  gpu::Buffer<float> distance(entries, stream);
  gpu::Buffer<std::int32_t> index(entries, stream), found(elements, stream);
  found.fillBytes(0, stream);
  const gpu::Event before, after;
  before.record(stream);
  int passes = 0;
  for (int first = 0; first < elements; first += kPatchesPerPass, ++passes) {
    const int count = std::min(kPatchesPerPass, elements - first);
    if (memory == PatchMemory::constant)
      SULCUS_CUDA(cudaMemcpyToSymbolAsync(kSubset, patches.data() + std::int64_t(first) * (1 + kPaperPatch),
                                          std::size_t(count) * (1 + kPaperPatch) * sizeof(float), 0,
                                          cudaMemcpyDeviceToDevice, stream.get()));
    kernel<<<gpu::blocksFor(elements, layout.elements), layout.elements, std::size_t(asked), stream.get()>>>(
        {patches.data(), elements, first, count, texture.get(), distance.data(), index.data(), found.data()});
    SULCUS_CUDA_LAUNCHED("comparePatches");
  }
  after.record(stream);
  stream.synchronize();
  run.seconds = after.secondsSince(before);
  run.bytes = double(passes) * elements * 4.0 * (1 + kPaperPatch + 4 * kPaperNeighbors + 2) +
              double(passes) * kPatchesPerPass * (1 + kPaperPatch) * 4.0;
  run.found.count = kPaperNeighbors;
  run.found.index.resize(std::size_t(entries)), run.found.distance.resize(std::size_t(entries));
  index.download(run.found.index, stream);
  distance.download(run.found.distance, stream);
  stream.synchronize();
  return run;
}

}  // namespace sulcus::bench
