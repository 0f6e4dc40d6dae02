"""Makes a model file for the local engine: a llama of one layer with random weights, about 300 kB, by seed.

Nothing is learnt and nothing downloaded. What it writes under a grammar is nonsense of the right shape: a fuzzer that
speaks HTTP. One thing is not left to chance. The first coordinate of every embedding is the same, and the layer adds
nothing to it, so the first column of the output matrix is how likely each token is wherever it stands: words
often, quotation marks often enough that a text ends, control characters and bytes of broken UTF-8 never.
"""

import random
import struct
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

WIDTH, HEADS, INNER, CONTEXT = 32, 2, 64, 32_768
STEADY = 4.0
"""The first coordinate, beside others that are as a rule less than 1."""
TILE = 32
"""Tensors begin at multiples of this; the vocabulary has a multiple of it, too (odd ones upset the engine)."""

PLAIN, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
UINT, INT, FLOAT, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
NEVER = -40.0

WORDS = """
    the a of and to in is for on with as by at from that this it are was or not she he they her his their who one
    guard gate torch rope coin door wall river rain smoke blood sword shield horse captain stranger debt spy letter
    broken burning hidden lost angry cold late loud old quiet sudden wounded watchful Cynere Guards gains loses falls
    breaks burns waits knows sees takes leaves hurts stress boost shifts fails succeeds manages escapes
"""
SIGNS = ",.!?'-…éü中Ж😀"
JSON = ('"', '",', '",\n', '"}', '"},', '"}]', "]", "]}", "}", ":", ": ", "{", "{\n", "[", ",", "\n", '\\"', "\\n")
ENDS = ('"', '",', '"}', '"},', '"}]')

TEMPLATE = (
    "{%- for m in messages -%}{{- '<|' + m['role'] + '|>' + m['content'] -}}{%- endfor -%}{{- '<|assistant|>' -}}"
)


@dataclass(frozen=True)
class Token:
    """A piece of the vocabulary: its text, its kind, and how likely it is anywhere (as a logarithm)."""

    text: str
    kind: int
    likely: float


def vocabulary() -> list[Token]:
    """Every byte, so that any text can be read, and whole words, so that prompts are short."""
    tokens = [Token("<unk>", UNKNOWN, NEVER), Token("<s>", CONTROL, NEVER), Token("</s>", CONTROL, 1.0)]
    tokens += [Token(f"<|{role}|>", CONTROL, NEVER) for role in ("system", "user", "assistant")]
    tokens += [Token(f"<0x{byte:02X}>", BYTE, -6.0 if 0x20 <= byte < 0x7F else NEVER) for byte in range(256)]
    texts = {**dict.fromkeys(JSON, -4.0), **dict.fromkeys(ENDS, 3.5), "{": 0.0, "]": -2.5}
    for word in WORDS.split():
        texts |= {word: -1.5, f" {word}": 1.5}
    for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_ ":
        texts[letter] = -4.0
    for first in "etaoinshrdlucm":
        texts |= {first + second: -4.5 for second in "aeionrst"}
    texts |= dict.fromkeys(SIGNS, -1.5)
    # SentencePiece writes a blank as U+2581.
    tokens += [Token(text.replace(" ", "\u2581"), PLAIN, likely) for text, likely in texts.items()]
    tokens += [Token(f"<|rest{number}|>", CONTROL, NEVER) for number in range(-len(tokens) % TILE)]
    return tokens


def write_model(path: Path, seed: int = 1) -> None:
    """Write the file; the same seed gives the same bytes."""
    tokens = vocabulary()
    tensors = list(_tensors(tokens, random.Random(seed)))
    fields = list(_fields(tokens))
    heads, offset = [], 0
    for name, shape, values in tensors:
        # The engine counts the dimensions from the one that runs fastest.
        dimensions = shape[::-1]
        heads.append(_string(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions), *dimensions, 0, offset))
        offset += _padded(len(values) * 4)
    start = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(fields)) + b"".join(fields) + b"".join(heads)
    with path.open("wb") as file:
        file.write(start.ljust(_padded(len(start)), b"\0"))
        for _, _, values in tensors:
            data = struct.pack(f"<{len(values)}f", *values)
            file.write(data.ljust(_padded(len(data)), b"\0"))


def _tensors(tokens: list[Token], chance: random.Random) -> "Iterator[tuple[str, tuple[int, ...], array[float]]]":
    def noise(rows: int, columns: int, spread: float) -> "array[float]":
        return array("f", ((chance.random() * 2 - 1) * spread for _ in range(rows * columns)))

    def still(count: int, value: float) -> "array[float]":
        return array("f", [value]) * count

    size = len(tokens)
    embeddings = noise(size, WIDTH, 1.5)
    output = noise(size, WIDTH, 0.5)
    for number, token in enumerate(tokens):
        embeddings[number * WIDTH] = STEADY
        output[number * WIDTH] = token.likely / 3
    yield "token_embd.weight", (size, WIDTH), embeddings
    yield "output.weight", (size, WIDTH), output
    yield "output_norm.weight", (WIDTH,), still(WIDTH, 1.0)
    for name in ("attn_norm", "ffn_norm"):
        yield f"blk.0.{name}.weight", (WIDTH,), still(WIDTH, 1.0)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        values = noise(WIDTH, WIDTH, 0.6)
        if name == "attn_output":
            values[:WIDTH] = still(WIDTH, 0.0)
        yield f"blk.0.{name}.weight", (WIDTH, WIDTH), values
    for name in ("ffn_gate", "ffn_up"):
        yield f"blk.0.{name}.weight", (INNER, WIDTH), noise(INNER, WIDTH, 0.3)
    down = noise(WIDTH, INNER, 0.3)
    down[:INNER] = still(INNER, 0.0)
    yield "blk.0.ffn_down.weight", (WIDTH, INNER), down


def _fields(tokens: list[Token]) -> Iterator[bytes]:
    def field(name: str, kind: int, value: bytes) -> bytes:
        return _string(name) + struct.pack("<I", kind) + value

    def row(name: str, kind: int, values: Iterable[bytes]) -> bytes:
        return field(name, ARRAY, struct.pack("<IQ", kind, len(tokens)) + b"".join(values))

    yield field("general.architecture", STRING, _string("llama"))
    yield field("general.name", STRING, _string("nonsense"))
    sizes = {
        "vocab_size": len(tokens),
        "context_length": CONTEXT,
        "embedding_length": WIDTH,
        "block_count": 1,
        "feed_forward_length": INNER,
        "rope.dimension_count": WIDTH // HEADS,
        "attention.head_count": HEADS,
        "attention.head_count_kv": HEADS,
    }
    for name, size in sizes.items():
        yield field(f"llama.{name}", UINT, struct.pack("<I", size))
    yield field("llama.attention.layer_norm_rms_epsilon", FLOAT, struct.pack("<f", 1e-5))
    yield field("tokenizer.ggml.model", STRING, _string("llama"))
    yield field("tokenizer.ggml.pre", STRING, _string("default"))
    yield row("tokenizer.ggml.tokens", STRING, (_string(token.text) for token in tokens))
    # Longer pieces go before their parts when a prompt is cut up.
    yield row("tokenizer.ggml.scores", FLOAT, (struct.pack("<f", len(token.text)) for token in tokens))
    yield row("tokenizer.ggml.token_type", INT, (struct.pack("<i", token.kind) for token in tokens))
    for number, name in enumerate(("unknown", "bos", "eos")):
        yield field(f"tokenizer.ggml.{name}_token_id", UINT, struct.pack("<I", number))
    for name, value in (("add_bos_token", True), ("add_eos_token", False), ("add_space_prefix", False)):
        yield field(f"tokenizer.ggml.{name}", BOOL, struct.pack("<?", value))
    yield field("tokenizer.chat_template", STRING, _string(TEMPLATE))


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _padded(length: int) -> int:
    return length + -length % TILE
