#!/bin/sh
# What do 8-bit and 4-bit weights bring on an A100, and why?
set -eu
# shellcheck source=examples/ask.sh
. "$(dirname "$0")/ask.sh"

# One user: decoding reads the weights, so fewer bytes are less time; the prefill is limited by compute.
ask whatif llama-2-7b --gpu a100-sxm4-80 --change weights=int8 --change weights=int8,activations=int8 \
  --change weights=int4_g128 --change weights=q4_k

# 32 users share the weights: the KV cache takes more of the time, and narrower weights bring less.
ask whatif llama-2-7b --gpu a100-sxm4-80 --batch 32 --change weights=int8 \
  --change weights=int4_g128 --change kv=int8
