#include "gpu/activation/gibbs_run.h"

#include "core/activation/sampler/beta_from_gamma.h"
#include "core/activation/sampler/gibbs_plan.h"
#include "gpu/activation/activation.h"
#include "gpu/runtime/blocks.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <optional>
#include <span>

namespace sulcus::gpu::activation {
using namespace sulcus::activation;
namespace {

constexpr std::int64_t kAlone = 512;   // voxels that one block processes about as fast as several
constexpr std::int64_t kFewest = 256;  // of a block among several
constexpr const char* kWhat = "the activation";

/// Blocks of a group, `perBlock` voxels in each.
std::int64_t blocksOf(const GibbsGroup& group, std::int64_t perBlock) {
  const std::int64_t voxels = group.end - group.begin;
  return voxels <= std::max(perBlock, kAlone) ? 1 : ceilDivide(voxels, perBlock);
}

template <class T>
std::span<const T> viewOf(const std::vector<T>& values) {
  return values;
}

/// The blocks of these chains.
std::vector<GibbsBlock> blocksOfChains(std::vector<GibbsBlock> blocks, ChainRange chains) {
  const auto first = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const GibbsBlock& block) { return block.chain >= chains.first; });
  const auto before = int(first - blocks.begin());
  blocks.erase(blocks.begin(), first);
  std::erase_if(blocks, [&](const GibbsBlock& block) { return block.chain >= chains.last; });
  for (GibbsBlock& block : blocks) block.leader -= before;
  return blocks;
}

/// Floats of GibbsRun::moments(), in the order of foldGibbs().
std::int64_t foldedRows(int k) { return 3 * k + k * (k + 1) / 2 + 2; }

}  // namespace

std::vector<GibbsBlock> planBlocks(const std::vector<GibbsGroup>& groups, int chains, int resident) {
  const auto total = [&](std::int64_t perBlock) {
    std::int64_t sum = 0;
    for (const auto& group : groups) sum += blocksOf(group, perBlock);
    return sum * chains;
  };
  std::int64_t largest = 0, perBlock = kFewest;
  for (const auto& group : groups) largest = std::max(largest, group.end - group.begin);
  while (total(perBlock) > resident && perBlock < largest) perBlock += perBlock / 32;
  std::vector<GibbsBlock> blocks;
  for (int chain = 0; chain < chains; ++chain)
    for (int g = 0; g < int(groups.size()); ++g) {
      const auto& group = groups[std::size_t(g)];
      const std::int64_t voxels = group.end - group.begin, count = blocksOf(group, perBlock);
      const int leader = int(blocks.size());
      for (std::int64_t r = 0; r < count; ++r) {
        const std::int64_t first = voxels * r / count, last = voxels * (r + 1) / count;
        blocks.push_back({g, chain, int(r), int(count), group.begin + first, int(last - first), leader});
      }
    }
  return blocks;
}

double gibbsDeviceBytes(const GibbsProblem& problem, const GibbsOptions& options) {
  const int k = problem.regressors, q = problem.covariates, chains = options.chains;
  const double ofVoxel = k + q + 2 + (problem.correlated ? k * (k + 1) / 2 : 0) + double(foldedRows(k)) +
                         chains * double(1 + MomentLayout{k}.size());
  const bool proposing = !problem.fits.empty();
  const double ofDraw = 4.0 * HyperLayout{k, q}.size() + (proposing ? 20 : 0);
  const double ofKept = proposing ? 0 : 8.0 * (double(k) * k + k * q);
  return 4 * double(problem.voxels) * ofVoxel +
         double(problem.groups.size()) * chains * (ofDraw * options.draws + ofKept * options.kept());
}

GibbsRun::GibbsRun(const GibbsProblem& problem, const GibbsOptions& options, const Stream& stream,
                   ChainRange range)
    : problem_(problem),
      options_(options),
      stream_(stream),
      chains_(range),
      proposals_(proposeHyper(problem, options)) {
  const int k = problem.regressors, q = problem.covariates, chains = options.chains;
  const std::int64_t m = problem.voxels, groups = std::int64_t(problem.groups.size());
  requireMemory(std::int64_t(std::min(gibbsDeviceBytes(problem, options), 9e18)), kWhat);
  const GibbsShape shape = gibbsShape(k, q, problem.correlated, options.interwoven);
  const auto blocks = blocksOfChains(planBlocks(problem.groups, chains, shape.resident), range);

  job_.k = k;
  job_.q = q;
  job_.chains = chains;
  job_.groups = int(groups);
  job_.draws = options.draws;
  job_.kept = options.keptDraws();
  job_.keptCount = options.kept();
  job_.voxels = m;
  job_.key = options.seed;
  job_.law = ChiSquare<float>(degreesOfFreedom(problem));
  job_.perFreedom = 1 / degreesOfFreedom(problem);
  job_.a = problem.a;
  job_.nu = problem.nu;
  job_.interwoven = options.interwoven;
  job_.plan = BatchPlan(options.kept());
  job_.blockCount = int(blocks.size());
  job_.threads = shape.threads;
  for (const auto& block : blocks) {
    job_.mostVoxels = std::max(job_.mostVoxels, block.voxels);
    job_.together = job_.together || block.size > 1;
  }

  std::vector<float> squares(std::size_t(m), 0);
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = squaresOf(problem, std::int64_t(i));
  std::vector<double> priors, freedoms;
  for (const auto& group : problem.groups) {
    const GroupPrior prior = groupPrior(problem, group);
    const auto add = [&](const auto& matrix) {
      priors.insert(priors.end(), matrix.data(), matrix.data() + matrix.size());
    };
    for (const auto* matrix : {&prior.scale, &prior.scaleOfBeta, &prior.toBeta, &prior.toGamma}) add(*matrix);
    add(prior.block);
    add(prior.turns);
    for (const auto* matrix : {&prior.zz, &prior.zzInverse, &prior.zzRoot}) add(*matrix);
    job_.parted = prior.blocks;
    freedoms.push_back(prior.freedom);
  }
  const std::vector<float> inverse = inverseFactor(problem);

  const WaitTimer waiting(WaitKind::copies);
  estimate_ = uploaded(viewOf(problem.estimate), stream, kWhat);
  if (problem.correlated) precision_ = uploaded(viewOf(problem.precision), stream, kWhat);
  squares_ = uploaded(viewOf(squares), stream, kWhat);
  errorPrior_ = uploaded(viewOf(problem.errorPrior), stream, kWhat);
  z_ = uploaded(viewOf(problem.z).subspan(std::size_t(m)), stream, kWhat);
  ids_ = uploaded(viewOf(problem.voxelId), stream, kWhat);
  inverse_ = uploaded(viewOf(inverse), stream, kWhat);
  priors_ = uploaded(viewOf(priors), stream, kWhat);
  freedoms_ = uploaded(viewOf(freedoms), stream, kWhat);
  blocks_ = uploaded(viewOf(blocks), stream, kWhat);
  sigma2_ = Buffer<float>(chains * m, stream, kWhat);
  moments_ = Buffer<float>(chains * m * MomentLayout{k}.size(), stream, kWhat);
  if (proposals_.empty()) {
    hyper_ = Buffer<float>(chains * groups * options.draws * job_.record().size(), stream, kWhat);
    keptHyper_ = Buffer<double>(chains * groups * options.kept() * (q * k + k * k), stream, kWhat);
  } else {
    proposalRecords_ = uploaded(viewOf(proposals_.records), stream, kWhat);
    weights_ = uploaded(viewOf(proposals_.weights), stream, kWhat);
    levels_ = uploaded(viewOf(proposals_.levels), stream, kWhat);
    taken_ = Buffer<int>(chains * groups * options.draws, stream, kWhat);
    job_.proposals = proposalRecords_.data();
    job_.weights = weights_.data();
    job_.levels = levels_.data();
    job_.taken = taken_.data();
  }
  folded_ = Buffer<float>(m * foldedRows(k), stream, kWhat);
  totals_ = Buffer<double>(2 * job_.blockCount * hyperSums(k, q, options.interwoven), stream, kWhat);
  work_ = Buffer<double>(job_.blockCount * shape.workSize, stream, kWhat);
  arrived_ = Buffer<unsigned>(job_.blockCount, stream, kWhat);
  stream.synchronize();  // waits for the uploads from this scope

  job_.precision = problem.correlated ? precision_.data() : nullptr;
  job_.estimate = estimate_.data();
  job_.squares = squares_.data();
  job_.z = z_.data();
  job_.ids = ids_.data();
  job_.inverse = inverse_.data();
  job_.priors = priors_.data();
  job_.freedoms = freedoms_.data();
  job_.blocks = blocks_.data();
  job_.sigma2 = sigma2_.data();
  job_.moments = moments_.data();
  job_.hyper = hyper_.data();
  job_.keptHyper = keptHyper_.data();
  job_.totals = totals_.data();
  job_.arrived = arrived_.data();
  job_.work = work_.data();
}

void GibbsRun::start() {
  for (int chain = 0; chain < job_.chains; ++chain)
    SULCUS_CUDA(cudaMemcpyAsync(sigma2_.data() + chain * job_.voxels, errorPrior_.data(),
                                std::size_t(errorPrior_.bytes()), cudaMemcpyDeviceToDevice, stream_.get()));
  if (job_.proposing())
    SULCUS_CUDA(cudaMemsetAsync(taken_.data(), 0, std::size_t(taken_.bytes()), stream_.get()));
}

void GibbsRun::takeChains(const GibbsRun& other, int device, int from) {
  const auto take = [&](auto& own, const auto& theirs) {
    const std::int64_t ofChain = own.size() / job_.chains;
    const auto bytes =
        std::size_t(ofChain * (other.chains_.last - other.chains_.first)) * sizeof(*own.data());
    SULCUS_CUDA(cudaMemcpyPeerAsync(own.data() + other.chains_.first * ofChain, device,
                                    theirs.data() + other.chains_.first * ofChain, from, bytes,
                                    stream_.get()));
  };
  take(moments_, other.moments_);
  if (job_.proposing()) return take(taken_, other.taken_);
  take(hyper_, other.hyper_);
  take(keptHyper_, other.keptHyper_);
}

GibbsMoments GibbsRun::moments(int done) {
  foldGibbs(job_, options_.keptBefore(done), folded_.data(), stream_);
  TimedQueue<Stream>{stream_}.synchronize();
  const WaitTimer waiting(WaitKind::copies);
  const std::int64_t k = job_.k;
  GibbsMoments moments;
  const float* from = folded_.data();
  const auto fetch = [&](std::vector<float>& to, std::int64_t rows) {
    to.resize(std::size_t(rows * job_.voxels));
    SULCUS_CUDA(
        cudaMemcpyAsync(to.data(), from, to.size() * sizeof(float), cudaMemcpyDeviceToHost, stream_.get()));
    from += to.size();
  };
  fetch(moments.mean, k);
  fetch(moments.rhat, k);
  fetch(moments.ess, k);
  fetch(moments.covariance, k * (k + 1) / 2);
  fetch(moments.sigma2Mean, 1);
  fetch(moments.sigma2Var, 1);
  stream_.synchronize();
  return moments;
}

GibbsResult GibbsRun::result() {
  const int k = job_.k, q = job_.q;
  GibbsResult result;
  if (job_.proposing()) {
    std::vector<int> taken(std::size_t(taken_.size()));
    taken_.download(taken, stream_);
    result.moments = moments(job_.draws);
    setHyper(problem_, options_, proposals_, taken, result);
    return result;
  }
  std::optional<WaitTimer> waiting(WaitKind::copies);
  result.hyper.resize(std::size_t(hyper_.size()));
  hyper_.download(result.hyper, stream_);
  std::vector<double> kept(std::size_t(keptHyper_.size()));
  keptHyper_.download(kept, stream_);
  waiting.reset();
  result.moments = moments(job_.draws);

  const std::size_t ofDelta = std::size_t(q * k), ofVariance = std::size_t(k * k);
  const std::size_t draws = kept.size() / (ofDelta + ofVariance);
  const Eigen::MatrixXd toBeta = betaFromGamma(problem_);
  result.delta.resize(draws * ofDelta);
  result.vBeta.resize(draws * ofVariance);
  for (std::size_t i = 0; i < draws; ++i) {
    const double* const draw = kept.data() + i * (ofDelta + ofVariance);
    drawInBeta(toBeta, q, draw, draw + ofDelta, result.delta.data() + i * ofDelta,
               result.vBeta.data() + i * ofVariance);
  }
  return result;
}

}  // namespace sulcus::gpu::activation
