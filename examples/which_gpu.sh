#!/bin/sh
# Which device that I can get serves 16 users of Llama 3.1 8B, each at 20 tokens per second or more?
set -eu
# shellcheck source=examples/ask.sh
. "$(dirname "$0")/ask.sh"

gpus=l4,a10,l40s,rtx-4090,a100-sxm4-80,h100-sxm5-80,h200-sxm-141,mi300x
ask sweep llama-3.1-8b --gpu "$gpus" --batch 16 --where fits --where 'tpot < 50 ms' \
  --top 8 --by total_bytes

# Of all devices that roofcast knows, those that no other beats in memory taken and in speed:
ask sweep llama-3.1-8b --gpu all --batch 16 --where fits --pareto total_bytes,tpot_seconds
