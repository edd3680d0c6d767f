#!/bin/sh
# How many conversations of 8,192 tokens fit beside Llama 3.1 8B on one H100, and what would make room?
set -eu
# shellcheck source=examples/ask.sh
. "$(dirname "$0")/ask.sh"

ask memory llama-3.1-8b --gpu h100-sxm5-80 --context 8192

# The same in one table: an 8-bit KV cache, 8-bit weights, both, or a larger device.
ask whatif llama-3.1-8b --gpu h100-sxm5-80 --prompt 7936 --output 256 --by memory \
  --change kv=fp8 --change weights=fp8 --change weights=fp8,kv=fp8 --change gpu=h200-sxm-141
