#!/usr/bin/env bash
# The release program stays below 5 MB without its symbols.
#   tools/check_size.sh build/release/roofcast
set -euo pipefail
limit=5000000
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
strip -o "$copy" "$1"
size=$(stat -c %s "$copy")
echo "size: $size bytes, at most $limit"
[ "$size" -le $limit ]
