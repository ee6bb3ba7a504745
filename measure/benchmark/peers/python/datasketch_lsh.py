"""MinHash LSH of datasketch over windows of words."""

from datasketch import MinHash, MinHashLSH

from job import run
from minhash_windows import THRESHOLD, windows

NUM_PERM = 128


def sketches(sets):
    encoded = ([word.encode() for word in words] for words in sets)
    return MinHash.bulk(encoded, num_perm=NUM_PERM)


def load(sources):
    lsh = MinHashLSH(threshold=THRESHOLD, num_perm=NUM_PERM)
    minhashes = {}
    with lsh.insertion_session() as session:
        for name, text in sources:
            for number, sketch in enumerate(sketches(words for _, _, words in windows(text))):
                key = f"{name} {number}"
                session.insert(key, sketch, check_duplication=False)
                minhashes[key] = sketch
    return lsh, minhashes


def find(loaded, text):
    lsh, minhashes = loaded
    parts = list(windows(text))
    found = {}
    for (start, end, _), sketch in zip(parts, sketches(words for _, _, words in parts)):
        for key in lsh.query(sketch):
            if sketch.jaccard(minhashes[key]) >= THRESHOLD:
                found.setdefault(key.rsplit(" ", 1)[0], []).append([start, end])
    return found


if __name__ == "__main__":
    run(load, find)
