#!/bin/bash
# Writing to a full disk, and where something is in the way: disk.sh FOLDER-OF-sulcus-cli. A failed write is an error, and nothing
# half-written remains.
set -u
export PATH="$(realpath "$1"):$PATH"
folder=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$folder/small"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
  echo "$1: $(head -c 300 said)"
  failures=$((failures + 1))
}

# fails TEXT COMMAND...: exit code 3 and one sentence that contains this text.
fails() {
  local text=$1 code
  shift
  "$@" 2>said
  code=$?
  [ "$code" = 3 ] && grep -qF "$text" said || fail "exit code $code, not 3 with '$text': $*"
}

sulcus-cli phantom fibers --out f --quiet >/dev/null && sulcus-cli phantom registration --out g --quiet >/dev/null &&
  sulcus-cli phantom surface --size 32 --out s --quiet >/dev/null || exit 1
sulcus-cli registration --template g/template.nii.gz --reference g/reference.nii.gz --iterations 2 --out field --quiet >/dev/null &&
  sulcus-cli surface --mask s/mask.nii.gz --patch 3 --neighbours 8 --out room --quiet >/dev/null &&
  sulcus-cli phantom tracts --spacing 3 --out t --quiet >/dev/null && sulcus-cli phantom group --out people --quiet >/dev/null &&
  sulcus-cli phantom activation --out a --quiet >/dev/null &&
  sulcus-cli tracts --fod t/fod.nii.gz --seeds 500 --out lines --quiet >/dev/null || exit 1

# every_writer TEXT FOLDER
every_writer() {
  fails "$1" sulcus-cli phantom fibers --out "$2/p" --quiet
  fails "$1" sulcus-cli fibers --dwi f/dwi.nii.gz --out "$2/r" --model adc --order 4 --quiet
  fails "$1" sulcus-cli surface --mask s/mask.nii.gz --patch 3 --neighbours 8 --out "$2/r" --quiet
  for name in a.nii a.nii.gz a.nrrd a.mha; do
    fails "$1" sulcus-cli convert f/dwi.nii.gz "$2/$name" --quiet
    fails "$1" sulcus-cli apply --field field/displacement.nii.gz --image g/template.nii.gz --like g/reference.nii.gz --out "$2/$name" --quiet
  done
  for name in m.vtp m.ply m.stl m.obj m.gii; do fails "$1" sulcus-cli convert room/surface.vtp "$2/$name" --quiet; done
  fails "$1" sulcus-cli tracts --fod t/fod.nii.gz --seeds 500 --out "$2/r" --quiet
  for name in b.trx b.tck b.trk b.vtp b.vtk; do
    fails "$1" sulcus-cli convert lines/tracts.trx "$2/$name" --quiet
    fails "$1" sulcus-cli bundle lines/tracts.trx --include sphere:0,0,0,50 --out "$2/$name" --quiet
  done
  fails "$1" sulcus-cli group --maps people/sub-*.nii.gz --people people/people.tsv --groups group --permutations 10 --out "$2/r" --quiet
  fails "$1" sulcus-cli prepare a/bold.nii.gz --out "$2/r" --quiet
  fails "$1" sulcus-cli template g/template.nii.gz g/reference.nii.gz --rounds 1 --out "$2/r" --quiet
  fails "$1" sulcus-cli volumes people/sub-*.nii.gz --atlas people/mask.nii.gz --out "$2/v.tsv" --quiet
}

# A file size limit, which needs no rights.
mkdir limited
(ulimit -f 1 && every_writer 'File too large' limited && exit "$failures") || failures=$((failures + 1))
[ -z "$(ls -A limited)" ] || { ls -lAR limited && fail 'files are left after a file became too large'; }

mkdir small
if mount -t tmpfs -o size=1m none small 2>/dev/null; then
  mounted=yes
  head -c 1040000 /dev/zero >small/full
  every_writer 'No space left on device' small
  [ "$(ls -A small)" = full ] || { ls -lAR small && fail 'files are left on the full disk'; }
else
  echo 'skipped: no small disk may be mounted here'
fi

# Standard output that accepts nothing, or is closed: the requested files are written all the same.
for command in 'info s/mask.nii.gz' 'info s/mask.nii.gz --json' 'devices' 'compare s/mask.nii.gz s/mask.nii.gz' '--help' 'fibers --help' '--version'; do
  fails 'The output is incomplete' sulcus-cli $command >/dev/full
  fails 'The output is incomplete' sulcus-cli $command >&-
done
fails 'The output is incomplete' sulcus-cli convert s/mask.nii.gz full.nii >/dev/full
fails 'The output is incomplete' sulcus-cli convert s/mask.nii.gz closed.nii --json >&-
fails 'The output is incomplete' sulcus-cli phantom surface --size 32 --out full >/dev/full
cmp full.nii closed.nii >said && sulcus-cli compare full.nii s/mask.nii.gz >said && cmp full/mask.nii.gz s/mask.nii.gz >said || fail 'results are lost with the output'
sulcus-cli convert s/mask.nii.gz quiet.nii >printed 2>&- <&- && cmp full.nii quiet.nii || fail 'a closed standard error ends up in a file'
sulcus-cli fibers --dwi f/dwi.nii.gz --model adc --order 4 --out read --json 2>&1 | head -n 1 >/dev/null
[ -s read/provenance.json ] || fail 'results are lost when nobody reads the progress'

# An obstacle is reported before the work starts.
mkdir -p way/surface.vtp && touch file
fails "surface.vtp' is a folder" sulcus-cli surface --mask none.nii --out way --overwrite
fails "file' is a file" sulcus-cli surface --mask none.nii --out file
fails "Cannot write" sulcus-cli surface --mask none.nii --out file/below
fails "Cannot write" sulcus-cli surface --mask none.nii --out /proc/results
fails "Cannot write 'w.nii'" sulcus-cli apply --field none --image none --like none --out no/such/w.nii
mkdir w.nii && fails "w.nii' is a folder" sulcus-cli apply --field none --image none --like none --out w.nii --overwrite
echo "$failures failures"
[ "$failures" = 0 ]
