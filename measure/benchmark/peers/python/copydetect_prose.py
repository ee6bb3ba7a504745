"""Winnowed fingerprints of copydetect over plain text, without its filter for code."""

from io import StringIO

from copydetect import CodeFingerprint, compare_files

from job import run

# Its own defaults: runs of 25 equal characters count, and runs of 30 are always found.
NOISE_CHARS = 25
GUARANTEE_CHARS = 30

# A source is shown from so many equal characters on. From 60 on, two false ones came with a text without reuse, from 90 on
# one; runs of 20 characters found some sources more, with twice as many false ones.
OVERLAP_CHARS_MIN = 90


def fingerprint(name, text):
    # Case and line ends are not what is compared; both keep their offsets.
    plain = "".join(lower if len(lower := char.lower()) == 1 else char for char in text)
    plain = plain.replace("\n", " ").replace("\r", " ")
    window = GUARANTEE_CHARS - NOISE_CHARS + 1
    return CodeFingerprint(name, NOISE_CHARS, window, filter=False, fp=StringIO(plain))


def load(sources):
    return [fingerprint(name, text) for name, text in sources]


def find(loaded, text):
    query = fingerprint("query", text)
    found = {}
    for source in loaded:
        overlap, _, (slices, _) = compare_files(query, source)
        if overlap >= OVERLAP_CHARS_MIN:
            found[source.filename] = [[int(start), int(end)] for start, end in slices.T]
    return found


if __name__ == "__main__":
    run(load, find)
