#pragma once

#include "roofcast/model/architecture.hpp"
#include "roofcast/model/model_card.hpp"

#include <cstdint>
#include <string>
#include <utility>

/// Published models as values, so that tests of the layers below the reader need no file. Shapes
/// are those of each model's config.json.
namespace roofcast::test {

struct CardNumbers {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t intermediate = 0;
  std::int64_t context = 0;
  std::int64_t parameters = 0;  ///< as published
};

inline ModelCard make_card(std::string name, std::string family, std::string weights,
                           const CardNumbers& numbers) {
  ModelCard card;
  card.name = std::move(name);
  card.family = std::move(family);
  card.weights = std::move(weights);
  card.vocabulary = numbers.vocabulary;
  card.hidden = numbers.hidden;
  card.layers = numbers.layers;
  card.attention.heads = numbers.heads;
  card.attention.kv_heads = numbers.kv_heads;
  card.attention.head_dim = numbers.head_dim;
  card.feed_forward.intermediate = numbers.intermediate;
  card.context = numbers.context;
  card.parameters = numbers.parameters;
  card.source = "config.json of the published checkpoint";
  return card;
}

/// meta-llama/Llama-2-7b-hf
inline ModelCard llama_2_7b_card() {
  return make_card("llama-2-7b", "llama", "fp16",
                   {.vocabulary = 32000,
                    .hidden = 4096,
                    .layers = 32,
                    .heads = 32,
                    .kv_heads = 32,
                    .head_dim = 128,
                    .intermediate = 11008,
                    .context = 4096,
                    .parameters = 6'738'415'616});
}

/// meta-llama/Llama-2-70b-hf
inline ModelCard llama_2_70b_card() {
  return make_card("llama-2-70b", "llama", "fp16",
                   {.vocabulary = 32000,
                    .hidden = 8192,
                    .layers = 80,
                    .heads = 64,
                    .kv_heads = 8,
                    .head_dim = 128,
                    .intermediate = 28672,
                    .context = 4096,
                    .parameters = 68'976'648'192});
}

/// meta-llama/Llama-3.1-8B
inline ModelCard llama_3_1_8b_card() {
  return make_card("llama-3.1-8b", "llama", "bf16",
                   {.vocabulary = 128256,
                    .hidden = 4096,
                    .layers = 32,
                    .heads = 32,
                    .kv_heads = 8,
                    .head_dim = 128,
                    .intermediate = 14336,
                    .context = 131072,
                    .parameters = 8'030'261'248});
}

/// Qwen/Qwen3-0.6B: heads wider than hidden / heads, norms of Q and K, a tied head
inline ModelCard qwen3_0_6b_card() {
  ModelCard card = make_card("qwen3-0.6b", "qwen3", "bf16",
                             {.vocabulary = 151936,
                              .hidden = 1024,
                              .layers = 28,
                              .heads = 16,
                              .kv_heads = 8,
                              .head_dim = 128,
                              .intermediate = 3072,
                              .context = 40960,
                              .parameters = 596'049'920});
  card.tied_embeddings = true;
  return card;
}

/// openai-community/gpt2: learned positions, biases, a tied head
inline ModelCard gpt2_card() {
  ModelCard card = make_card("gpt2", "gpt2", "fp32",
                             {.vocabulary = 50257,
                              .hidden = 768,
                              .layers = 12,
                              .heads = 12,
                              .kv_heads = 12,
                              .head_dim = 64,
                              .intermediate = 3072,
                              .context = 1024,
                              .parameters = 124'439'808});
  card.feed_forward.gated = false;
  card.position_rows = 1024;
  card.tied_embeddings = true;
  return card;
}

/// facebook/opt-125m: two more rows of positions than tokens of context
inline ModelCard opt_125m_card() {
  ModelCard card = make_card("opt-125m", "opt", "fp16",
                             {.vocabulary = 50272,
                              .hidden = 768,
                              .layers = 12,
                              .heads = 12,
                              .kv_heads = 12,
                              .head_dim = 64,
                              .intermediate = 3072,
                              .context = 2048,
                              .parameters = 125'239'296});
  card.feed_forward.gated = false;
  card.position_rows = 2050;
  card.tied_embeddings = true;
  return card;
}

/// google/gemma-3-4b-pt, the text decoder: of every six layers the last attends to everything
inline ModelCard gemma_3_4b_card() {
  ModelCard card = make_card("gemma-3-4b", "gemma3", "bf16",
                             {.vocabulary = 262208,
                              .hidden = 2560,
                              .layers = 34,
                              .heads = 8,
                              .kv_heads = 4,
                              .head_dim = 256,
                              .intermediate = 10240,
                              .context = 131072,
                              .parameters = 3'880'263'168});
  card.attention.window = 1024;
  card.attention.full_every = 6;
  card.tied_embeddings = true;
  return card;
}

/// mistralai/Mistral-7B-v0.1: a window of 4,096 tokens in every layer
inline ModelCard mistral_7b_card() {
  ModelCard card = make_card("mistral-7b", "mistral", "bf16",
                             {.vocabulary = 32000,
                              .hidden = 4096,
                              .layers = 32,
                              .heads = 32,
                              .kv_heads = 8,
                              .head_dim = 128,
                              .intermediate = 14336,
                              .context = 32768,
                              .parameters = 7'241'732'096});
  card.attention.window = 4096;
  return card;
}

}  // namespace roofcast::test
