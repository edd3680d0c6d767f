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
"$program" estimate llama-2-7b --gpu a100-sxm4-80 --format json | grep -q '"schema"'
test -s "$prefix/share/man/man1/roofcast.1"

# A card that is dropped into the installed data folder is found without a rebuild.
sed -e 's/^name: .*/name: dropped-in/' -e '/^aliases:/d' "$source/model_cards/llama-2-7b.yaml" \
  >"$prefix/share/roofcast/model_cards/dropped-in.yaml"
"$program" memory dropped-in --format json | grep -q '"name": *"dropped-in"'

cmake -S "$source/examples" -B "$prefix/examples" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
cmake --build "$prefix/examples" >/dev/null
"$prefix/examples/embed_library" | grep -q 'batch    1  TPOT'
echo "install: the program, its data, the man page and the package work from $prefix"
