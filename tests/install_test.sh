#!/usr/bin/env bash
# Installs a build into a fresh prefix and uses what is there: the program finds its data, the man page is in
# place, and an example builds against the package.
#   tests/install_test.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1 source=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null

cd / # nothing may depend on the folder it is started from
program=$prefix/bin/roofcast
# Whole answers first, then the search: a reader that leaves early would end the program.
answers() {
  local wanted=$1
  shift
  "$@" >"$prefix/answer"
  grep -q "$wanted" "$prefix/answer"
}
answers '"schema"' "$program" estimate llama-2-7b --gpu a100-sxm4-80 --format json
test -s "$prefix/share/man/man1/roofcast.1"

# A card that is dropped into the installed data folder is found without a rebuild.
sed -e 's/^name: .*/name: dropped-in/' -e '/^aliases:/d' "$source/model_cards/llama-2-7b.yaml" \
  >"$prefix/share/roofcast/model_cards/dropped-in.yaml"
answers '"name": *"dropped-in"' "$program" memory dropped-in --format json

cmake -S "$source/examples" -B "$prefix/examples" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$prefix/examples" >/dev/null
answers 'batch    1  TPOT' "$prefix/examples/embed_library"
echo "install: the program, its data, the man page and the package work from $prefix"
