#!/usr/bin/env bash
# A study on a private Slurm, two nodes on one machine: slurm.sh FOLDER-OF-sulcus-cli [PARTICIPANTS]. In an array of participants one task
# is killed and one runs out of memory; the same command submits those two again; the results equal those made without Slurm. Skipped (exit
# code 77) if slurm-wlm and munge are not installed.
. "$(dirname "$0")/own_folder.sh"
participants=${2:-20}
. "$make/own_slurm.sh"

# The study: diffusion series, and the same without Slurm.
for ((i = 1; i <= participants; ++i)); do
  sub=sub-$(printf %02d "$i")
  mkdir -p "study/$sub/dwi"
  sulcus-cli phantom fibers --seed "$i" --out "p$i" > /dev/null
  cp "p$i/dwi.nii.gz" "study/$sub/dwi/${sub}_dwi.nii.gz"
  cp "p$i/dwi.bval" "p$i/dwi.bvec" study/
done
echo '{"Name": "Phantoms", "BIDSVersion": "1.10.0"}' > study/dataset_description.json
study=(sulcus-cli bids study out participant --analysis fibers --quiet)

# If Slurm is not running: a message, and nothing is run.
"${study[@]}" --slurm > down.txt 2>&1
[ $? = 4 ] || fail "a Slurm that is down has another exit code than 4"
grep -q 'Slurm did not take the participants' down.txt || fail "nothing is said of a Slurm that is down"
ls out/sub-* > /dev/null 2>&1 && fail "something was run without Slurm"

start_slurm

# What would be submitted, with one task that is killed and one that runs out of memory.
"${study[@]}" --slurm-dry-run --max-jobs 2 --time 10 > both.sh || fail "--slurm-dry-run"
grep -q "^#SBATCH --array=0-$((participants - 1))%2\$" both.sh || fail "the array has another size"
grep -qE '^#SBATCH --mem=[0-9]+M$' both.sh || fail "no memory is asked for"
sed '/^$/,$d' both.sh | sed '/^exec/i [ "$SLURM_ARRAY_TASK_ID" = 3 ] && kill -9 $$\n[ "$SLURM_ARRAY_TASK_ID" = 5 ] && ulimit -v 60000' > hurt.sh
mkdir -p out/logs
sbatch hurt.sh > /dev/null || fail "sbatch"
wait_for
done=$(ls -d out/sub-*/dwi/*_provenance.json | wc -l)
[ "$done" = $((participants - 2)) ] || fail "$done participants are done, not $((participants - 2))"
[ -z "$(find out -path '*sub-0[46]*' -name '*.nii.gz')" ] || fail "something half-written is there"

# The same command submits the two that failed, and the group after them; not while they run.
"${study[@]}" --slurm --gpus 1 > again.txt || fail "--slurm"
grep -q '^2 participants were submitted to Slurm' again.txt || { cat again.txt; fail "not two participants are submitted again"; }
if [ -n "$(squeue --noheader)" ]; then
  "${study[@]}" --slurm > twice.txt 2>&1
  [ $? = 4 ] && grep -q 'already in the queue' twice.txt || { cat twice.txt; fail "the same is submitted twice"; }
fi
grep -q '^#SBATCH --time=11$' out/logs/slurm_fibers.sh || fail "the time is not asked for as the others took it"
grep -q "^#SBATCH --time=$((10 + participants))\$" out/logs/slurm_group.sh || fail "the group level is not given a minute a participant"
squeue --noheader --states=all --format='%j %b' | grep -q '^sulcus-fibers gres:gpu:1' || { squeue --states=all --format='%j %b'; fail "no GPU was given"; }
wait_for
[ "$(grep -c $'\tdone\t' out/participants.tsv)" = "$participants" ] || { cat out/participants.tsv; fail "not all are done"; }
[ -s out/group.html ] || fail "there is no report of the group"
"${study[@]}" --slurm | grep -q 'There is nothing to hand to Slurm' || fail "what is done is submitted again"

sulcus-cli bids study alone participant --analysis fibers --quiet > /dev/null || fail "without Slurm"
for file in alone/sub-*/dwi/*.nii.gz; do
  cmp "$file" "out/${file#alone/}" && continue
  ls -l "${file%/*}" "out/${file#alone/}"
  for one in "$file" "out/${file#alone/}"; do gzip -dc "$one" | sha256sum; gzip -dc "$one" | od -A d -t x1 -w32 | head -12; done
  fail "${file#alone/} is another one without Slurm"
done
echo "slurm: $participants participants on two nodes, one killed, one out of memory, resumed, the same as without"
