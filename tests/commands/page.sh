#!/usr/bin/env bash
# A page for sharing, made without a display, opens in a browser without a network: page.sh FOLDER-WITH-THE-PROGRAMS
set -eu
PATH=$1:$PATH
for needed in Xvfb chromium; do
  command -v "$needed" > /dev/null || { echo "skipped: $needed is not installed"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
sulcus-cli phantom surface --size 32 --out p --quiet
env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM sulcus p/mask.nii.gz p/truth.nii.gz --save-session s.sulcus
env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM sulcus --session s.sulcus --page page.html
grep -q "<h1>s</h1>" page.html  # the session was opened
# A script that is not part of the page checks whether each picture could be shown.
sed 's#</body>#<script>document.title = document.images.length + " " + [...document.images].every(i => i.naturalWidth > 99)</script></body>#' \
  page.html > asked.html
title=$(timeout 120 chromium --headless --no-sandbox --disable-gpu --host-resolver-rules='MAP * 0.0.0.0' --virtual-time-budget=20000 \
  --dump-dom "file://$folder/asked.html" 2> chromium.log | grep -o '<title>[^<]*')
echo "pictures, all shown: ${title#<title>}"
case $title in '<title>0 '* | *false) exit 1 ;; *true) ;; *) cat chromium.log; exit 1 ;; esac
# None of it is stored elsewhere.
if grep -oE '(src|href)="(https?:)?//[^"]*' page.html; then exit 1; fi
