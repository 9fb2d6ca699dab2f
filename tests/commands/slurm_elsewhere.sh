#!/usr/bin/env bash
# Runs that a remote machine submits to its Slurm, with a real sshd and a real Slurm on the loopback interface: slurm_elsewhere.sh
# FOLDER-OF-sulcus-cli. The same results as locally; waiting in the queue, a broken connection, Ctrl+C while it waits and while it runs, a
# job that Slurm ends, a Slurm that is not running. Skipped (exit code 77) if openssh-server, slurm-wlm or munge are not installed.
. "$(dirname "$0")/own_folder.sh"
far_environment=SLURM_CONF=$folder/slurm.conf
. "$make/own_sshd.sh"
. "$make/own_slurm.sh"

sulcus-cli phantom fibers --out p > /dev/null || fail "phantom"
short=(fibers --dwi p/dwi.nii.gz --mask p/mask.nii.gz --order 6)
there=(--backend slurm:server/cpu)
jobs=far/cache/sulcus/jobs

# If Slurm is not running: a message, exit code 4, and no files remain.
sulcus-cli "${short[@]}" --out down "${there[@]}" > down.txt 2> down.err
[ $? = 4 ] && grep -q '^sulcus-cli: server: Slurm did not accept the run' down.err || { cat down.err; fail "there is no message that Slurm is not running"; }
start_slurm

# The same results as locally, from a job that requested memory.
sulcus-cli remote setup server --look > look.txt 2> look.err || fail "remote setup"
grep -q '^Slurm (partitions all\* gpu:1): --backend slurm:server' look.txt || { cat look.txt; fail "the Slurm there is not told of"; }
sulcus-cli "${short[@]}" --threads 1 --out here > here.txt || fail "here"
sulcus-cli "${short[@]}" --out there "${there[@]}/all" --threads 1 --json > there.json 2> there.err || fail "there"
same here there
squeue --noheader --states=all --format='%T %P %m %j' | grep -qE '^COMPLETED all [0-9]+M sulcus-fibers$' ||
  { squeue --states=all; fail "it was not a job of that partition that requests memory"; }
[ -z "$(ls -A $jobs)" ] || { ls -lRA $jobs; fail "the remote run still exists after its results were fetched"; }
sulcus-cli "${short[@]}" --out nowhere "${there[@]}/none" > nowhere.txt 2> nowhere.err
[ $? = 4 ] && grep -q 'Slurm did not accept the run.*invalid partition' nowhere.err || { cat nowhere.err; fail "a missing partition is accepted"; }

# It waits while others have all processors, and says so; Ctrl+C removes it from the queue.
sulcus-cli phantom activation --out f > /dev/null || fail "phantom activation"
draws=16000
[ -z "${SULCUS_TEST_BRIEFLY:-}" ] || draws=640  # a sanitizer takes proportionally longer
long=(activation --bold f/bold.nii.gz --design f/design.tsv --contrast "0 1 0" --draws $draws --threads 1)
wait_until() {  # COMMAND…
  for ((i = 0; i < 400; ++i)); do "$@" && return; sleep 0.05; done
  fail "timed out waiting for: $*"
}
printf '#!/bin/sh\nsleep 600\n' > others.sh
for node in n1 n2; do sbatch --parsable --nodelist $node --output /dev/null others.sh >> others.ids || fail "sbatch"; done
in_state() { [ "$(squeue --noheader --format=%T --name sulcus-activation | sort -u)" = "$1" ]; }
others_run() { [ "$(squeue --noheader --format=%T --states=R | wc -l)" = 2 ]; }
gone() { [ -z "$(squeue --noheader --name sulcus-activation)" ]; }
wait_until others_run
sulcus-cli "${long[@]}" --out taken_out "${there[@]}" --json > taken_out.txt 2> taken_out.err &
run=$!
said_waiting() { grep -q 'server: waiting in the queue (' taken_out.err 2> /dev/null; }
wait_until said_waiting
in_state PENDING || fail "it does not wait in the queue"
kill -INT $run
wait $run
[ $? = 130 ] || fail "a run that was removed from the queue has another exit code"
wait_until gone
[ -z "$(ls -A $jobs)" ] || fail "a run that was removed from the queue still exists"

# A connection that breaks while it waits: the job keeps its place in the queue, and its results arrive.
: > ssh.pids
sulcus-cli "${long[@]}" --out broken "${there[@]}" --json > broken.txt 2> broken.err &
run=$!
wait_until in_state PENDING
id=$(squeue --noheader --format=%A --name sulcus-activation)
kill -9 "$(tail -n 1 ssh.pids)" || fail "the connection ended before it could be broken"
scancel $(cat others.ids)
wait $run || fail "a run whose connection broke failed"
[ "$(wc -l < ssh.pids)" = 2 ] || fail "it took $(wc -l < ssh.pids) connections, not 2"
[ "$(squeue --noheader --states=all --format=%A --name sulcus-activation | sort | tail -n 1)" = "$id" ] || fail "it was submitted twice"
sulcus-cli "${long[@]}" --out long_here > /dev/null 2> long.err || fail "a longer run here"
same long_here broken

# Ctrl+C while it runs, and a job that Slurm ends.
sulcus-cli "${long[@]}" --out stopped "${there[@]}" > stopped.txt 2> stopped.err &
run=$!
wait_until in_state RUNNING
kill -INT $run
wait $run
[ $? = 130 ] && grep -q 'interrupted, no result was written' stopped.err || fail "an interrupted run ends differently"
wait_until gone
sulcus-cli "${long[@]}" --out ended "${there[@]}" > ended.txt 2> ended.err &
run=$!
wait_until in_state RUNNING
running() { pgrep -f "serve --job $far" > pids; }
wait_until running
kill -9 $(cat pids)
wait $run
[ $? = 4 ] && grep -q 'Slurm ended the run (FAILED' ended.err || { cat ended.err; fail "there is no message about a run that Slurm ended"; }
[ -z "$(ls -A $jobs)" ] || fail "a run that Slurm ended still exists"
for out in down nowhere taken_out stopped ended; do
  [ ! -e $out ] || [ -z "$(ls -A $out)" ] || fail "a failed run wrote something: $out"
done
echo "remote Slurm: the same results as locally, waiting, a broken connection, stopped in the queue and running, ended by Slurm, not running"
