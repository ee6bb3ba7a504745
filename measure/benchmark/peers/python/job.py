"""What the programs beside this one share: they read a job (JSON, in the file that is named to them) and print JSON lines."""

import json
import re
import sys
import time

WORD = re.compile(r"[^\W_]+")


def run(load, find):
    """Loads the sources and answers each query.

    load: from pairs of name and text to whatever `find` needs.
    find: from that and a query's text to a dictionary: source name -> spans [start, end) of the query, in code points.
    """
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    loaded = load([(text["name"], read(text["file"])) for text in job["sources"]])
    say({"event": "loaded"})
    for query in job["queries"]:
        text = read(query["file"])
        started = time.perf_counter()
        found = find(loaded, text)
        seconds = time.perf_counter() - started
        answer = [{"source": name, "spans": spans} for name, spans in found.items()]
        say({"event": "answer", "query": query["name"], "seconds": seconds, "found": answer})


def read(path):
    """A text as it is: offsets count its line ends."""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def say(line):
    print(json.dumps(line), flush=True)
