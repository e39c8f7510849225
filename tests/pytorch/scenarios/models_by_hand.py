"""Models that people write themselves: two decoders, experts with room for so many tokens each, recommendations (DLRM).

Their sizes are real; simulated memory and simulated kernels cost nothing.
"""

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

import counted_models

WORDS, LENGTH, WIDTH, HEADS, LAYERS = 50304, 1024, 768, 12, 12
EXPERTS, EXPERT_LAYERS, EXPERT_WORDS, EXPERT_LENGTH, EXPERT_WIDTH = 8, 4, 8192, 256, 512

ROWS, TABLES, FEATURE = 100_000, 8, 64


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.mix = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, hidden):
        batch, length, width = hidden.shape
        query, key, value = (part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
                             for part in self.mix(hidden).split(width, dim=2))
        attended = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.out(attended.transpose(1, 2).contiguous().view(batch, length, width))


class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, hidden):
        return self.down(functional.gelu(self.up(hidden)))


class Experts(nn.Module):
    """Each token goes to one expert, each expert takes so many tokens: all sizes are known beforehand (Switch)."""

    def __init__(self, width):
        super().__init__()
        self.router = nn.Linear(width, EXPERTS, bias=False)
        self.up = nn.Parameter(torch.randn(EXPERTS, width, 4 * width))
        self.down = nn.Parameter(torch.randn(EXPERTS, 4 * width, width))

    def forward(self, hidden):
        shape = hidden.shape
        tokens = hidden.reshape(-1, shape[-1])
        room = len(tokens) // EXPERTS
        affinity, chosen = self.router(tokens).softmax(-1).t().topk(room)
        given = tokens[chosen.clamp(0, len(tokens) - 1)]
        done = torch.bmm(functional.gelu(torch.bmm(given, self.up.to(given.dtype))), self.down.to(given.dtype))
        result = torch.zeros_like(tokens)
        result = result.index_add(0, chosen.clamp(0, len(tokens) - 1).flatten(),
                                  (done * affinity.unsqueeze(-1)).flatten(0, 1).to(result.dtype))
        return result.view(shape)


class Recommendation(nn.Module):
    """Most parameters are looked up; products are those of the dense features and of each pair of vectors (DLRM)."""

    def __init__(self):
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(ROWS, FEATURE, mode="sum") for _ in range(TABLES))
        self.bottom = nn.Sequential(nn.Linear(FEATURE, 512), nn.ReLU(), nn.Linear(512, FEATURE), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(FEATURE + (TABLES + 1) ** 2, 1024), nn.ReLU(), nn.Linear(1024, 2))

    def forward(self, dense):
        rows = torch.zeros(len(dense), 4, dtype=torch.int64, device=dense.device)
        bottom = self.bottom(dense)
        vectors = torch.stack([bottom, *(table(rows).to(bottom.dtype) for table in self.tables)], 1)
        pairs = torch.bmm(vectors, vectors.transpose(1, 2)).flatten(1)
        return self.top(torch.cat([bottom, pairs], 1))


class Block(nn.Module):
    def __init__(self, width, heads, mlp):
        super().__init__()
        self.before_attention, self.attention = nn.LayerNorm(width), Attention(width, heads)
        self.before_mlp, self.mlp = nn.LayerNorm(width), mlp(width)

    def forward(self, hidden):
        hidden = hidden + self.attention(self.before_attention(hidden))
        return hidden + self.mlp(self.before_mlp(hidden))


class Decoder(nn.Module):
    def __init__(self, words, length, width, heads, layers, mlp, is_checkpointed):
        super().__init__()
        self.is_checkpointed = is_checkpointed
        self.words = nn.Embedding(words, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads, mlp) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words, bias=False)
        self.words.weight = self.head.weight

    def forward(self, words):
        hidden = self.words(words) + self.positions(torch.arange(words.shape[1], device=words.device))
        for block in self.blocks:
            hidden = checkpoint(block, hidden, use_reentrant=False) if self.is_checkpointed else block(hidden)
        return self.head(self.norm(hidden))


def gpt(options):
    """With attention as products and a softmax of its own."""
    class Chosen:
        model, attention, length = "gpt", "eager", counted_models.LENGTH
        checkpoint = "rerun" if options.checkpoint else "none"

    shape = counted_models.BATCH, Chosen.length
    return counted_models.Gpt(Chosen), torch.randint(counted_models.WORDS, shape), counted_models.WORDS


def nanogpt(options):
    """163 million parameters with the table of positions, as nanoGPT's, and batches of 16 texts."""
    model = Decoder(WORDS, LENGTH, WIDTH, HEADS, LAYERS, Mlp, options.checkpoint)
    return model, torch.randint(WORDS, (16, LENGTH)), WORDS


def experts(options):
    model = Decoder(EXPERT_WORDS, EXPERT_LENGTH, EXPERT_WIDTH, 8, EXPERT_LAYERS, Experts, options.checkpoint)
    return model, torch.randint(EXPERT_WORDS, (8, EXPERT_LENGTH)), EXPERT_WORDS


def dlrm(_options):
    return Recommendation(), torch.randn(2048, FEATURE), 2
