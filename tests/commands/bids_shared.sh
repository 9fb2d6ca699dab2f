#!/usr/bin/env bash
# A study in one output folder: bids_shared.sh FOLDER-OF-sulcus-cli
# Concurrent commands share the participants, so that none is run twice, even if they start at the same time with a new folder; a command
# that is killed blocks no other; a full disk or a file size limit leaves nothing half-written, and the same command continues once there is
# room.
set -u
export PATH="$(realpath "$1"):$PATH"
folder=$(mktemp -d)
cd "$folder" || exit 1
mounted= stopped=
finish() {
  [ -z "$stopped" ] || kill -9 "$stopped" 2> /dev/null
  [ -z "$mounted" ] || umount "$folder/small"
  cd / && rm -rf "$folder"
}
trap finish EXIT
fail() {
  echo "FAILED: $1"
  tail -n 8 "$folder"/*.txt
  exit 1
}
participants=6
for ((i = 1; i <= participants; ++i)); do
  mkdir -p "study/sub-0$i/dwi"
  sulcus-cli phantom fibers --seed "$i" --out "p$i" > /dev/null || fail "phantom"
  cp "p$i/dwi.nii.gz" "study/sub-0$i/dwi/sub-0${i}_dwi.nii.gz"
  cp "p$i/dwi.bval" "p$i/dwi.bvec" study/
done
echo '{"Name": "Phantoms", "BIDSVersion": "1.10.0"}' > study/dataset_description.json
flags=(participant --analysis fibers --model adc --order 4)
study() { sulcus-cli bids study "$1" "${flags[@]}"; }  # OUT
wait_until() {  # COMMAND…
  for ((i = 0; i < 400; ++i)); do "$@" && return; sleep 0.05; done
  fail "waited in vain: $*"
}
lines() { [ -s "$2" ] && [ "$(grep -c ': done' "$2")" -ge "$1" ]; }  # at least N of FILE
runs() { cat "$@" | grep -c ': done, '; }
all_done() { [ "$(grep -c $'\tdone\t' "$1/participants.tsv")" = $participants ]; }
no_rest() { [ -z "$(find "$1" -name '.part-*')" ]; }

# Eight commands that start at once with a folder that does not exist yet: one for each participant, and two for all.
for round in 1 2 3; do
  out=begin_$round commands=() ended=well
  for labels in 01 02 03 04 05 06 '' ''; do
    sulcus-cli bids study $out "${flags[@]}" ${labels:+--participant-label $labels} > ${out}_${#commands[@]}.txt 2>&1 &
    commands+=($!)
  done
  for one in "${commands[@]}"; do wait "$one" || ended=badly; done
  [ $ended = well ] || fail "one of eight commands that began at once"
  [ "$(runs ${out}_*.txt)" = $participants ] && all_done $out && no_rest $out || fail "eight commands at once did not run every participant once"
  cmp $out/dataset_description.json begin_1/dataset_description.json || fail "the description is torn"
done

# Several concurrent runs in one command leave the same files as consecutive ones, reported in any order; finished runs are skipped;
# interruption ends all.
study one > one.txt 2> one.err || fail "one after the other"
sulcus-cli bids study four "${flags[@]}" --jobs 4 > four.txt 2> four.err && all_done four && no_rest four || fail "four at a time"
[ "$(runs four.txt)" = $participants ] && cmp <(sort one.txt | sed 's/seconds [^,]*//; s/ in one//') <(sort four.txt | sed 's/seconds [^,]*//; s/ in four//') ||
  fail "four at a time tell something else"
for file in $(cd one && find . -name '*.nii.gz'); do cmp "one/$file" "four/$file" || fail "four at a time leave another $file"; done
[ "$(find one -name '*.nii.gz' | wc -l)" = "$(find four -name '*.nii.gz' | wc -l)" ] || fail "four at a time leave other files"
sulcus-cli bids study four "${flags[@]}" --jobs 4 --json 2> /dev/null | python3 -c '
import json, sys
runs = json.load(sys.stdin)["runs"]
assert [run["status"] for run in runs] == ["done before"] * 6 and [run["run"] for run in runs] == sorted(run["run"] for run in runs), runs' ||
  fail "four at a time do not tell of the runs in their order"
sulcus-cli bids study many "${flags[@]}" --jobs 3 > many.txt 2> many.err &
stopped=$!
wait_until lines 1 many.txt
kill -INT $stopped
wait $stopped
code=$? stopped=
[ $code = 130 ] && grep -q 'interrupted' many.err || [ $code = 0 ] || fail "several at a time end otherwise when interrupted ($code)"
no_rest many || fail "several at a time leave something half-written"
study many > rest.txt 2> rest.err && all_done many || fail "the same command does not go on after several at a time"

# The first one is stopped in the middle of a participant. The second one runs all others, waits for that one, and takes it over when the
# first is killed.
for end in CONT KILL; do
  sulcus-cli bids study $end "${flags[@]}" > first_$end.txt 2> first_$end.err &
  stopped=$!
  wait_until lines 1 first_$end.txt
  kill -STOP $stopped
  sulcus-cli bids study $end "${flags[@]}" > second_$end.txt 2> second_$end.err &
  second=$!
  wait_until lines $((participants - 1)) second_$end.txt
  kill -$end $stopped
  wait $second || fail "the second command"
  wait $stopped 2> /dev/null
  [ $? = 0 ] || [ $end = KILL ] || fail "the first command"
  stopped=
  before=$(runs first_$end.txt)
  [ $((before + $(runs second_$end.txt))) = $participants ] || fail "not every participant was run once"
  [ "$before" -lt $participants ] || fail "the second command had nothing to do"
  all_done $end && no_rest $end || fail "not all are done"
done

# A file size limit, which needs no rights.
(ulimit -f 1; study limited > limited.txt 2> limited.err)
[ $? = 3 ] && grep -q 'File too large' limited.txt limited.err || fail "files that may not grow have another end"
[ -z "$(find limited -name '*.nii.gz')" ] && no_rest limited || fail "something half-written is there"
study limited > again.txt 2> again.err && all_done limited || fail "the same command does not go on"

# A full disk: finished results stay, the rest is reported.
mkdir small
if mount -t tmpfs -o size=1m none small 2> /dev/null; then
  mounted=yes
  head -c 700000 /dev/zero > small/full
  study small/out > small.txt 2> small.err
  [ $? = 3 ] && grep -q 'No space left on device): free some space' small.txt small.err || fail "a full disk has another end"
  done=$(runs small.txt)
  [ "$done" -gt 0 ] && [ "$done" -lt $participants ] || fail "$done participants fit on the small disk: make it another size"
  no_rest small/out || fail "something half-written is on the full disk"
  rm small/full
  study small/out > room.txt 2> room.err && all_done small/out || fail "the same command does not go on when there is room"
  [ "$(grep -c ': done before' room.txt)" = "$done" ] || fail "what was done was run again"
else
  echo 'skipped: no small disk may be mounted here'
fi
echo "bids: four at a time, shared by two and by eight commands, one killed, files that may not grow, a full disk"
