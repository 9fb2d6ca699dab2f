# To be sourced first by a test whose first argument is the folder of sulcus-cli: an empty working folder, $folder, which is removed at the
# end, after the functions in $at_end were called. `fail SENTENCE` ends the test with the last lines of the programs' output.
set -u
programs=$(realpath "$1") make=$(realpath "$(dirname "$0")")
export PATH="$programs:$PATH:/usr/sbin"
folder=$(mktemp -d)
cd "$folder" || exit 1
at_end=()
finish() {
  local end
  for end in "${at_end[@]}"; do "$end"; done
  cd / && rm -rf "$folder"
}
trap finish EXIT
fail() {
  echo "FAILED: $1"
  tail -n 5 "$folder"/*.err "$folder"/*.log "$folder"/out/logs/slurm_*.txt "$folder"/far/cache/sulcus/jobs/*/slurm_*.txt 2> /dev/null
  exit 1
}
