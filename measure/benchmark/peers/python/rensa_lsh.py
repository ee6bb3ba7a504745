"""MinHash LSH of rensa over windows of words. The second argument is the number of bands."""

import sys

from rensa import RMinHash, RMinHashLSH

from job import run
from minhash_windows import THRESHOLD, windows

NUM_PERM = 128
SEED = 42


def sketches(sets):
    return RMinHash.from_token_sets([list(words) for words in sets], num_perm=NUM_PERM, seed=SEED)


def load(sources):
    lsh = RMinHashLSH(threshold=THRESHOLD, num_perm=NUM_PERM, num_bands=int(sys.argv[2]))
    names = []
    minhashes = []
    for name, text in sources:
        made = sketches([words for _, _, words in windows(text)])
        lsh.insert_many(made, start_key=len(names))
        minhashes.extend(made)
        names.extend([name] * len(made))
    return lsh, names, minhashes


def find(loaded, text):
    lsh, names, minhashes = loaded
    parts = list(windows(text))
    made = sketches([words for _, _, words in parts])
    found = {}
    for (start, end, _), sketch, keys in zip(parts, made, lsh.query_all(made)):
        for key in keys:
            if sketch.jaccard(minhashes[key]) >= THRESHOLD:
                found.setdefault(names[key], []).append([start, end])
    return found


if __name__ == "__main__":
    run(load, find)
