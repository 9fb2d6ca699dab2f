#!/usr/bin/env python3
"""Compares Sulcus' posterior across people with lme4, brms and the same model in Stan, on regions.

    tests/bench/peers/group_hierarchy.py SULCUS_CLI [--peers lme4,brms,stan] [--keep FOLDER]

Needs numpy, nibabel and R with lme4, brms and rstan (Debian: r-cran-lme4, r-cran-brms). Prints one Markdown table. A
voxel of the maps represents a region here. The posterior means of the effect in each region and their s.d. are compared
in units of the combined Monte Carlo error of both sides, s.d. / sqrt(effective draws) for each: a root mean square of 1
is agreement.

regions      people differ by the same everywhere and every region has an effect: what lme4 and brms know as (1 | region).
             lme4 takes the variances for known and has no error of its own. Effects that are exactly 0 are unknown to
             both, so regions whose estimate is below 3.5 standard errors are left out.
sparse       3 regions in 10 have an effect, and people differ by another variance in each: the model of Sulcus, which
             Stan samples by NUTS with the indicator of an effect summed out. All regions count.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import nibabel
import numpy

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("sulcus")
parser.add_argument("--peers", default="lme4,brms,stan")
parser.add_argument("--keep", help="folder for data and results")
parser.add_argument("--draws", type=int, default=20000)
arguments = parser.parse_args()

STAN = """
data { int V; int N; vector[V] estimate; vector[V] squares; real scale; real slab; }
parameters { real<lower=0, upper=1> share; real<lower=0> effect; real<lower=0> typical; real<lower=0, upper=log(1000)> lfreedom;
             vector<lower=0>[V] tau2; }
transformed parameters { real freedom = exp(lfreedom); }
model {
  effect ~ scaled_inv_chi_square(2, sqrt(slab));   // the variance of effects
  target += -log(typical);                         // typical: a variance, with the density 1 / typical
  tau2 ~ scaled_inv_chi_square(freedom, sqrt(typical));
  for (v in 1:V) {
    real own = scale * scale * tau2[v];
    target += -0.5 * (N - 1) * log(tau2[v]) - 0.5 * squares[v] / tau2[v];
    target += log_mix(share, normal_lpdf(estimate[v] | 0, sqrt(own + effect)), normal_lpdf(estimate[v] | 0, sqrt(own)));
  }
}
generated quantities {
  vector[V] theta;
  for (v in 1:V) {
    real own = scale * scale * tau2[v];
    real odds = log(share) - log1m(share) + normal_lpdf(estimate[v] | 0, sqrt(own + effect)) - normal_lpdf(estimate[v] | 0, sqrt(own));
    real shrink = effect / (effect + own);
    theta[v] = bernoulli_logit_rng(odds) ? normal_rng(estimate[v] * shrink, sqrt(own * shrink)) : 0;
  }
}
"""
R = {
    "lme4": """
suppressMessages(library(lme4)); d <- read.csv("long.csv"); d$region <- factor(d$region)
fit <- lmer(y ~ 0 + (1 | region), d); r <- ranef(fit, condVar = TRUE)$region
write.csv(data.frame(mean = r[, 1], sd = sqrt(attr(r, "postVar")[1, 1, ]), error = 0), "lme4.csv", row.names = FALSE)
""",
    "brms": """
suppressMessages(library(brms)); d <- read.csv("long.csv")
fit <- brm(y ~ 0 + (1 | region), d, chains = 2, cores = 2, iter = 6000, refresh = 0, seed = 1,
           stan_model_args = list(boost_lib = "/usr/include"))
s <- posterior::summarise_draws(posterior::subset_draws(posterior::as_draws(fit), "r_region"))
mean <- as.numeric(s$mean); sd <- as.numeric(s$sd); error <- sd / sqrt(as.numeric(s$ess_bulk))
order <- order(as.integer(gsub("[^0-9]", "", sub(",Intercept.*", "", s$variable))))
write.csv(data.frame(mean, sd, error)[order, ], "brms.csv", row.names = FALSE)
""",
    "stan": """
suppressMessages(library(rstan)); d <- as.list(read.csv("sums.csv")); k <- read.csv("known.csv")
fit <- stan("model.stan", data = c(d, as.list(k)), chains = 2, cores = 2, iter = 6000, refresh = 0, seed = 1,
            boost_lib = "/usr/include")
s <- summary(fit, "theta")$summary
write.csv(data.frame(mean = s[, "mean"], sd = s[, "sd"], error = s[, "se_mean"]), "stan.csv", row.names = FALSE)
print(summary(fit, c("share", "effect", "typical", "freedom"))$summary[, c("mean", "sd", "n_eff", "Rhat")])
""",
}


def simulated(regions, people, share, freedom, seed):
    """Values of people in regions, regions x people."""
    random = numpy.random.default_rng(seed)
    effect = numpy.where(random.random(regions) < share, random.normal(size=regions), 0)
    tau = numpy.sqrt(freedom / random.chisquare(freedom, regions)) if freedom else numpy.ones(regions)
    noise = tau[:, None] * random.normal(size=(regions, people))
    # The peers have no shift that a person shares over all regions: there is none.
    return effect[:, None] + noise - noise.mean(0)


def sulcus(values, folder):
    """Posterior mean, s.d. and Monte Carlo error of the mean in each region, from two runs with different seeds."""
    shape = (len(values) // 50, 10, 5)
    files = []
    for n, person in enumerate(values.T):
        files.append(folder / f"sub-{n + 1:02}.nii")
        nibabel.Nifti1Image(person.reshape(shape, order="F").astype("float32"), numpy.eye(4)).to_filename(files[-1])
    runs = []
    for seed in (1, 2):
        out = folder / f"run-{seed}"
        subprocess.run([arguments.sulcus, "group", "--maps", *files, "--bayes", "--permutations", "1", "--draws",
                        str(arguments.draws), "--seed", str(seed), "--out", out, "--quiet", "--overwrite"],
                       check=True, stdout=subprocess.DEVNULL)
        runs.append([nibabel.load(out / f"{name}_mean.nii.gz").get_fdata().ravel(order="F") for name in ("mean", "sd")])
    mean, deviation = (0.5 * (runs[0][i] + runs[1][i]) for i in (0, 1))
    error = numpy.sqrt(numpy.mean((runs[0][0] - runs[1][0]) ** 2 / deviation ** 2)) / 2  # in s.d., the same in all regions
    return mean, deviation, error * deviation


def peer(name, values, folder):
    people = values.shape[1]
    with open(folder / "long.csv", "w") as file:
        file.write("region,y\n" + "".join(f"{v + 1},{y!r}\n" for v, row in enumerate(values.tolist()) for y in row))
    estimate = values.mean(1)
    squares = ((values - estimate[:, None]) ** 2).sum(1)
    numpy.savetxt(folder / "sums.csv", numpy.c_[estimate, squares], delimiter=",", header="estimate,squares", comments="")
    (folder / "known.csv").write_text(f"V,N,scale,slab\n{len(values)},{people},{people ** -0.5},{(estimate ** 2).mean()}\n")
    (folder / "model.stan").write_text(STAN)
    (folder / "peer.R").write_text(R[name])
    subprocess.run(["Rscript", "peer.R"], cwd=folder, check=True, stdout=sys.stderr, stderr=subprocess.STDOUT)
    return numpy.loadtxt(folder / f"{name}.csv", delimiter=",", skiprows=1).T


def rms(values):
    return numpy.sqrt(numpy.mean(values ** 2))


def main():
    cases = {"lme4": ("regions", 1000, 8, 1, 0), "brms": ("regions", 1000, 8, 1, 0), "stan": ("sparse", 500, 12, 0.3, 8)}
    print("| data | regions | people | peer | compared | means apart, Monte Carlo errors | posterior s.d. | largest | s.d., ratio |")
    print("| --- |" + " --- |" * 8)
    for name in arguments.peers.split(","):
        data, regions, people, share, freedom = cases[name]
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(arguments.keep or temporary) / name
            folder.mkdir(parents=True, exist_ok=True)
            values = simulated(regions, people, share, freedom, 7)
            mean, deviation, error = sulcus(values, folder)
            theirs, their_deviation, their_error = peer(name, values, folder)
        kept = numpy.abs(values.mean(1)) > (3.5 * people ** -0.5 if data == "regions" else -1)
        off = (mean - theirs)[kept]
        errors = rms(off / numpy.hypot(error, their_error)[kept])
        print(f"| {data} | {regions} | {people} | {name} | {kept.sum()} | {errors:.2f} | {rms(off / deviation[kept]):.4f} |"
              f" {numpy.abs(off / deviation[kept]).max():.3f} | {numpy.mean((deviation / their_deviation)[kept]):.3f} |", flush=True)


main()
