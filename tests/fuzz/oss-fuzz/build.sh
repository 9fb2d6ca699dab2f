#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz: compiler and flags are given by the environment; programs, the libraries that they need, seeds and
# dictionaries go to $OUT. To run it elsewhere:
#   CC=clang CXX=clang++ CXXFLAGS='-O1 -fsanitize=address,fuzzer-no-link' LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=… WORK=… build.sh
# Numbers are parsed by GCC's standard library: LLVM's cannot parse doubles before version 20.
export CXXFLAGS=${CXXFLAGS/-stdlib=libc++/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
[ -e "$root/CMakeLists.txt" ] || root=$SRC/sulcus
cmake -G Ninja -S "$root" -B "$WORK/build" -D CMAKE_BUILD_TYPE=Release -D SULCUS_UI=OFF -D SULCUS_GPU=OFF -D SULCUS_LIBFUZZER=ON \
  -D SULCUS_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
mapfile -t targets < <(ninja -C "$WORK/build" -t targets all | sed -n 's/^\(fuzz_[a-z_]*\): phony$/\1/p')
ninja -C "$WORK/build" "${targets[@]}"
mkdir -p "$OUT/lib"
for target in "${targets[@]}"; do
  program=$WORK/build/bin/$target
  ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | xargs -I{} cp -L {} "$OUT/lib/"
  "$program" --seeds "$WORK/seeds/$target" >/dev/null
  "$root/tests/fuzz/words" "$WORK/seeds/$target"/seed* >"$OUT/$target.dict"
  kept=$root/tests/fuzz/corpora/${target#fuzz_}.tar.gz
  [ ! -e "$kept" ] || tar -xzf "$kept" -C "$WORK/seeds/$target"
  (cd "$WORK/seeds/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
  cp "$program" "$OUT/"
  patchelf --set-rpath "\$ORIGIN/lib" "$OUT/$target"
done
