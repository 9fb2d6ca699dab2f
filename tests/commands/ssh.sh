#!/usr/bin/env bash
# Runs on a remote machine, with a real sshd on the loopback interface: ssh.sh FOLDER-OF-sulcus-cli. The same results as locally; names with
# blanks, quotes and newlines; a connection that breaks twice; Ctrl+C; hosts that refuse; different versions. Skipped (exit code 77) if
# openssh-server is not installed or does not start.
. "$(dirname "$0")/own_folder.sh"
. "$make/own_sshd.sh"

# The same results as locally.
sulcus-cli phantom fibers --out p > /dev/null || fail "phantom"
there=(--backend ssh:server/cpu)
sulcus-cli fibers --dwi p/dwi.nii.gz --mask p/mask.nii.gz --truth p/truth.nii.gz --order 6 --out here > here.txt || fail "here"
sulcus-cli fibers --dwi p/dwi.nii.gz --mask p/mask.nii.gz --truth p/truth.nii.gz --order 6 --out there "${there[@]}" > there.txt 2> there.err ||
  fail "there"
same here there
grep -q 'at server' there/provenance.json || fail "the provenance does not name the machine"
grep -q '"p/dwi.nii.gz"' there/provenance.json || fail "the provenance does not have the local name of the input"
grep -q 'ssh:server/cpu' there/provenance.json || fail "the provenance does not contain the command line"
grep -q '^Results in there$' there.txt || fail "the place of the results is not printed"
[ -z "$(ls -A far/cache/sulcus/jobs)" ] || fail "the remote run still exists after its results were fetched"
[ "$(stat -c %a far/cache/sulcus)" = 700 ] || fail "other users can read the remote inputs"
inputs=$(ls far/cache/sulcus/inputs | wc -l)

# Names with special meaning for a shell; inputs that already exist on the server are not sent again.
odd=$'p/a "b" \'c\' $(touch hurt)\n;d.nii.gz'
cp p/dwi.nii.gz "$odd" && cp p/dwi.bval "${odd%.nii.gz}.bval" && cp p/dwi.bvec "${odd%.nii.gz}.bvec"
sulcus-cli fibers --dwi "$odd" --mask p/mask.nii.gz --order 4 --out odd_here > /dev/null || fail "an odd name here"
touch mark
sulcus-cli fibers --dwi "$odd" --mask p/mask.nii.gz --order 4 --out odd_there "${there[@]}" > odd.txt 2> odd.err || fail "an odd name there"
same odd_here odd_there
[ -z "$(find . -name 'hurt*')" ] || fail "a file name reached a shell"
[ "$(ls far/cache/sulcus/inputs | wc -l)" = "$inputs" ] || fail "inputs were sent again"

# Other gradient axes are sent with the run.
axes=(fibers --dwi p/dwi.nii.gz --mask p/mask.nii.gz --order 4 --gradient-axes '-x y z')
sulcus-cli "${axes[@]}" --out axes_here > /dev/null && sulcus-cli "${axes[@]}" --out axes_there "${there[@]}" > axes.txt 2> axes.err || fail "other axes there"
same axes_here axes_there

# Output for other programs contains the local file names.
sulcus-cli fibers --dwi p/dwi.nii.gz --mask p/mask.nii.gz --order 4 --out told "${there[@]}" --json > told.json 2> told.err || fail "--json"
python3 - << 'END' || fail "--json gives something else"
import json
said = json.load(open("told.json"))
assert said["out"] == "told" and any(file.endswith("/told/peaks.nii.gz") for file in said["files"]), said
assert said["runs"][0]["device"].endswith(", at server"), said
stages = [json.loads(line) for line in open("told.err")]
assert any(stage["stage"].startswith("server: ") for stage in stages), stages
END

# A remote refusal is reported here, with local names; nothing is written.
sulcus-cli fibers --dwi p/mask.nii.gz --out bad "${there[@]}" > bad.txt 2> bad.err
[ $? = 3 ] && grep -q '^sulcus-cli: server: ' bad.err || fail "a scan without gradients ends differently"
[ ! -e bad ] || [ -z "$(ls -A bad)" ] || fail "a failed run wrote something"

# A run that takes some seconds even on a fast machine, whose connection breaks twice: it continues there, once, and its results arrive.
sulcus-cli phantom activation --out f > /dev/null || fail "phantom activation"
draws=40000
[ -z "${SULCUS_TEST_BRIEFLY:-}" ] || draws=1600  # a sanitizer takes proportionally longer
long=(activation --bold f/bold.nii.gz --design f/design.tsv --contrast "0 1 0" --draws $draws --threads 1)
[ -s f/design.tsv ] || fail "the phantom has another design"
sulcus-cli "${long[@]}" --out long_here > /dev/null 2> long.err || fail "a longer run here"
running() { pgrep -f "serve --job $far" | wc -l; }
wait_until() {  # COMMAND…
  for ((i = 0; i < 200; ++i)); do "$@" && return; sleep 0.05; done
  fail "timed out waiting for: $*"
}
started() { [ "$(running)" = 1 ]; }
: > ssh.pids
sulcus-cli "${long[@]}" --out long_there "${there[@]}" > long.txt 2> long.err &
run=$!
for break in 1 2; do
  lines=$break
  connected() { [ "$(wc -l < ssh.pids)" = "$lines" ]; }
  wait_until connected
  wait_until started
  sleep 0.3
  kill -9 "$(tail -n 1 ssh.pids)" || fail "the connection ended before it could be broken"
done
wait $run || fail "a run whose connection broke failed"
[ "$(wc -l < ssh.pids)" = 3 ] || fail "it took $(wc -l < ssh.pids) connections, not 3"
same long_here long_there

# Resumed by the same command after the local side was killed.
: > ssh.pids
sulcus-cli "${long[@]}" --out late "${there[@]}" > late.txt 2> late.err &
run=$!
wait_until started
kill -9 $run
wait $run 2> /dev/null
before=$(stat -c %Y.%i far/cache/sulcus/jobs/*/job.json)
sulcus-cli "${long[@]}" --out late "${there[@]}" > late.txt 2> late.err &
run=$!
sleep 0.5
[ "$(stat -c %Y.%i far/cache/sulcus/jobs/*/job.json 2> /dev/null || echo "$before")" = "$before" ] || fail "the run was started again"
wait $run || fail "a run that was started before failed"
same long_here late

# Ctrl+C stops it there.
ended() { [ "$(running)" = 0 ]; }
wait_until ended
sulcus-cli "${long[@]}" --out stopped "${there[@]}" > stopped.txt 2> stopped.err &
run=$!
wait_until started
kill -INT $run
wait $run
[ $? = 130 ] || fail "an interrupted run has another exit code"
grep -q 'interrupted, no result was written' stopped.err || fail "there is no message that the run was interrupted"
wait_until ended
[ -z "$(ls -A far/cache/sulcus/jobs)" ] || fail "an interrupted run still exists there"
[ ! -e stopped ] || [ -z "$(ls -A stopped)" ] || fail "an interrupted run wrote something"

# A run that is killed there.
sulcus-cli "${long[@]}" --out killed "${there[@]}" > killed.txt 2> killed.err &
run=$!
wait_until started
kill -9 "$(pgrep -f "serve --job $far")"
wait $run
[ $? = 4 ] && grep -q 'was killed on the other machine' killed.err || fail "there is no message about a run that was killed there"

# Hosts that refuse: a message, what to do, exit code 4, at once.
refused() {  # HOST TEXT
  sulcus-cli fibers --dwi p/dwi.nii.gz --out refused --backend "ssh:$1" > refused.txt 2> refused.err
  local code=$?
  [ $code = 4 ] && grep -q "$2" refused.err || { cat refused.err; fail "$1: exit code $code, or a sentence other than '$2'"; }
}
refused refusing 'refuses your login'
refused changed 'host key of changed has changed'
refused unknown 'host key of unknown is not known yet'
refused gone 'gone cannot be reached'
sulcus-cli devices | grep -q 'No CUDA device' && refused server 'server: There is no GPU'
for host in -oProxyCommand=x 'a b' 'a;b' ''; do
  sulcus-cli fibers --dwi p/dwi.nii.gz --out refused --backend "ssh:$host" > refused.txt 2> refused.err
  [ $? = 2 ] && grep -q 'is not a host' refused.err || fail "'$host' is accepted as a host"
done

sulcus-cli bids p study participant --analysis fibers --backend ssh:server > bids.txt 2> bids.err
[ $? = 2 ] && grep -q 'A study cannot be sent to server' bids.err || fail "a study is sent"

# A different version, none, and the one that is installed there.
printf '#!/bin/sh\necho "{\\"sulcus\\": \\"0.0.1\\"}"; sleep 1\n' > other && chmod 755 other && rm farbin/sulcus-cli && cp other farbin/sulcus-cli
refused server 'Sulcus on server is 0.0.1, here it is'
version=$(sulcus-cli --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
printf '#!/bin/sh\necho "{\\"sulcus\\": \\"%s\\", \\"commit\\": \\"commit 0000000\\"}"; sleep 1\n' "$version" > farbin/sulcus-cli
refused server "Sulcus on server is $version, commit 0000000, here it is $version, "
rm farbin/sulcus-cli
refused server 'Sulcus is not installed on server'
sulcus-cli remote setup server > setup.txt 2> setup.err
[ $? = 2 ] && grep -q 'There is no package to install' setup.err || fail "no package is requested"
mkdir -p package/sulcus/bin && printf '#!/bin/sh\nexec %s "$@"\n' "$programs/sulcus-cli" > package/sulcus/bin/sulcus-cli
chmod 755 package/sulcus/bin/sulcus-cli
tar -C package -cf - sulcus | zstd -q > package.tar.zst
sulcus-cli remote setup server --package package.tar.zst > setup.txt 2> setup.err || fail "remote setup"
grep -q '^server: Sulcus ' setup.txt || fail "remote setup does not say what is there"
sulcus-cli fibers --dwi p/dwi.nii.gz --mask p/mask.nii.gz --truth p/truth.nii.gz --order 6 --out set_up "${there[@]}" > set_up.txt 2> set_up.err ||
  fail "a run of the program that was installed there"
same here set_up
echo "ssh: the same results as locally, unusual names, a connection broken twice, resumed later, stopped, killed, refused, set up"
