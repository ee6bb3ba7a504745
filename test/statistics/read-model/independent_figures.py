"""Computes every figure of the statistics service from the raw files, with none of its code and only Python's own library.

usage: independent_figures.py SHARED_FOLDER RETRACTIONS PUBLICATIONS [WORKS ORGANISATIONS]

Prints one JSON object. Limits of intervals are found from what defines them (a tail of a Poisson or binomial
distribution holds 2.5%), by bisection, not from quantile functions.
"""

import csv
import json
import math
import re
import sys
from collections import defaultdict
from datetime import date
from fractions import Fraction
from functools import cache
from urllib.parse import unquote

TAIL = 0.025
CORE = {
    "Plagiarism of Article", "Plagiarism of/in Article", "Plagiarism of Text", "Plagiarism of Image",
    "Plagiarism of Data", "Euphemisms for Plagiarism",
}
MINIMUM = {"country": 10_000, "institution": 1_000, "discipline": 0}


def main(shared, retractions, publications, works=None, organisations=None):
    codes = {row["rw_country"]: row["iso2"] for row in read_csv(f"{shared}/rw_country_to_iso2.csv")}
    places = {row["iso2"]: row for row in read_csv(f"{shared}/m49_iso2.csv")}
    papers, newest = read_papers(retractions, codes)
    successor = read_successors(organisations)
    links = read_works(works, successor)
    counts = read_publications(publications, successor)
    years = sorted({year for by_key in counts.values() for by_year in by_key.values() for year in by_year})
    result = {"windows": windows(years[0], years[-1], newest)}
    # Besides the listed windows, spans of years that no list has.
    others = [(years[0] + 1, years[0] + 3), (years[-1], years[-1])]
    for first, last in [(w["from"], w["to"]) for w in result["windows"]] + others:
        window = f"{first}-{last}"
        inside = [paper for paper in papers if paper["year"] is not None and first <= paper["year"] <= last]
        for dimension in ("country", "institution", "discipline"):
            rows, counted = table(dimension, inside, links, counts[dimension], first, last)
            result.setdefault(dimension, {})[window] = rows
            result.setdefault("counts", {}).setdefault(dimension, {})[window] = counted
            result.setdefault("small", {}).setdefault(dimension, {})[window] = small_numbers(rows)
        result.setdefault("comparisons", {})[window] = comparisons(result["country"][window], places)
        result.setdefault("regions", {})[window] = regional_ranks(result["country"][window], places)
        result.setdefault("totals", {})[window] = totals(inside, result["country"][window], places)
        result.setdefault("reasons", {})[window] = by_reason(inside, result["country"][window])
        result.setdefault("series", {})[window] = series(inside, counts["country"], first, last)
    json.dump(result, sys.stdout)


def read_csv(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def read_papers(path, codes):
    joined, newest = {}, None
    for row in read_csv(path):
        if row["RetractionNature"] != "Retraction":
            continue
        doi = unquote(row["OriginalPaperDOI"].strip().lower())
        doi = re.sub(r"^https?://(dx\.)?doi\.org/", "", doi)
        key = doi if doi.startswith("10.") else "record " + row["Record ID"]
        paper = joined.setdefault(key, {"doi": doi, "core": False, "dates": [], "countries": set(), "reasons": set()})
        reasons = {reason.strip().removeprefix("+") for reason in row["Reason"].split(";")}
        paper["core"] |= bool(reasons & CORE)
        paper["reasons"] |= reasons & CORE
        if row["OriginalPaperDate"]:
            paper["dates"].append(us_date(row["OriginalPaperDate"]))
        if row["RetractionDate"]:
            newest = max(newest or date.min, us_date(row["RetractionDate"]))
        paper["countries"] |= {codes[name] for name in row["Country"].split(";") if codes.get(name)}
    papers = [paper for paper in joined.values() if paper["core"]]
    for paper in papers:
        paper["year"] = min(paper["dates"]).year if paper["dates"] else None
    return papers, newest and newest.year


def us_date(text):
    month, day, year = text.split()[0].split("/")
    return date(int(year), int(month), int(day))


def read_successors(path):
    if path is None:
        return lambda ror: ror
    direct = {}
    for line in open(path, encoding="utf-8"):
        record = json.loads(line)
        after = {link["id"] for link in record["relationships"] if link["type"] == "successor"}
        if record["status"] == "withdrawn" and len(after) == 1:
            direct[record["id"]] = after.pop()

    def follow(ror):
        seen = [ror]
        while seen[-1] in direct:
            if direct[seen[-1]] in seen:
                return ror
            seen.append(direct[seen[-1]])
        return seen[-1]

    return follow


def read_works(path, successor):
    links = defaultdict(lambda: {"institution": set(), "discipline": set()})
    for line in open(path, encoding="utf-8") if path else []:
        work = json.loads(line)
        link = links[work["doi"].lower().removeprefix("https://doi.org/")]
        for authorship in work["authorships"]:
            link["institution"] |= {successor(one["ror"]) for one in authorship["institutions"] if one["ror"]}
        if work["primary_topic"]:
            link["discipline"].add(work["primary_topic"]["field"]["id"].rsplit("/", 1)[1])
    return links


def read_publications(path, successor):
    counts = {dimension: defaultdict(dict) for dimension in MINIMUM}
    for row in read_csv(path):
        key = successor(row["key"]) if row["dimension"] == "institution" else row["key"]
        whole, fractional = counts[row["dimension"]][key].get(int(row["year"]), (0, Fraction(0)))
        added = Fraction(row["publications_fractional"])
        counts[row["dimension"]][key][int(row["year"])] = (whole + int(row["publications"]), fractional + added)
    return counts


def windows(first, last, newest):
    spans = {(first, last)} | {(end - 4, end) for end in range(last, first + 3, -5)}
    ordered = sorted(spans, key=lambda span: (-span[1], span[1] - span[0]))
    listed = [
        {"id": f"{a}-{b}", "from": a, "to": b, "provisional": newest is not None and newest - b < 3}
        for a, b in ordered
    ]
    settled = [window for window in listed if not window["provisional"]] or listed
    return [{**window, "default": window is settled[0]} for window in listed]


def keys_of(dimension, paper, links):
    return paper["countries"] if dimension == "country" else links.get(paper["doi"], {}).get(dimension, set())


def table(dimension, papers, links, counts, first, last):
    whole, fractional, unattributed = defaultdict(int), defaultdict(Fraction), 0
    for paper in papers:
        keys = keys_of(dimension, paper, links)
        unattributed += not keys
        for key in keys:
            whole[key] += 1
            fractional[key] += Fraction(1, len(keys))
    keys = set(whole) | set(counts)
    if dimension == "discipline":
        keys |= {str(field) for field in range(11, 37)}
    rows = []
    for key in keys:
        published = [count for year, count in counts.get(key, {}).items() if first <= year <= last]
        n, nf = sum(count[0] for count in published), sum(count[1] for count in published)
        if whole[key] or n or dimension == "discipline":
            rows.append(figures(dimension, key, whole[key], fractional[key], n, nf))
    ranked = sorted((row for row in rows if not row["below"]), key=lambda row: (-row["exact"], row["key"]))
    for row in ranked:
        row["rank"] = 1 + sum(other["exact"] > row["exact"] for other in ranked)
    below = sorted((row for row in rows if row["below"]), key=lambda row: row["key"])
    for row in rows:
        del row["exact"]
    counted = {"total": len(rows), "ranked": len(ranked), "below": len(below), "unattributed": unattributed}
    return ranked + below, counted


def figures(dimension, key, papers, papers_fractional, publications, publications_fractional):
    low, high = poisson_limits(papers) if publications else (None, None)
    per = 100_000 / publications if publications else None
    return {
        "key": key,
        "papers": papers,
        "publications": publications,
        "exact": Fraction(papers, publications) if publications else None,
        "rate": papers * per if publications else None,
        "rate_ci_low": low * per if publications else None,
        "rate_ci_high": high * per if publications else None,
        "papers_fractional": float(papers_fractional),
        "publications_fractional": float(publications_fractional),
        "rate_fractional": float(papers_fractional * 100_000 / publications_fractional) if publications_fractional else None,
        "rank": None,
        "below": publications == 0 or publications < MINIMUM[dimension],
        "unstable": papers < 20,
    }


def small_numbers(rows):
    """Shrunken rates by the moments of the ranked rows (Marshall, 1991), and the ranks that the intervals allow."""
    ranked = [row for row in rows if not row["below"]]
    n = sum(row["publications"] for row in ranked)
    if n:
        common = Fraction(sum(row["papers"] for row in ranked), n)
        squares = sum(row["papers"] ** 2 / row["publications"] for row in ranked if row["papers"]) / n
        between = max(0.0, squares - float(common**2) - float(common) * len(ranked) / n)
    result = {}
    for row in rows:
        shrunken = row["rate"]
        if n and shrunken is not None:
            chance = common / row["publications"]
            weight = between / (between + float(chance)) if between else 0.0
            own = row["papers"] / row["publications"]
            shrunken = (float(common) + weight * (own - float(common))) * 100_000
        above = sum(one["rate_ci_low"] > row["rate_ci_high"] for one in ranked) if not row["below"] else None
        under = sum(one["rate_ci_high"] < row["rate_ci_low"] for one in ranked) if not row["below"] else None
        result[row["key"]] = {
            "rate_shrunken": shrunken,
            "rank_low": None if above is None else above + 1,
            "rank_high": None if under is None else len(ranked) - under,
        }
    return result


def regional_ranks(rows, places):
    ranked = [row for row in rows if not row["below"]]
    result = {}
    for row in ranked:
        place = places.get(row["key"], {"region": "", "subregion": ""})
        result[row["key"]] = {}
        for level in ("region", "subregion"):
            peers = [other for other in ranked if places.get(other["key"], {}).get(level) == place[level] != ""]
            better = sum(other["rate"] > row["rate"] for other in peers)
            result[row["key"]][level] = 1 + better if peers else None
    return result


def comparisons(rows, places):
    by_code = {row["key"]: row for row in rows}
    result = {}
    for code, place in places.items():
        if place["subregion"] == "":
            continue
        pool = [
            row for row in rows
            if row["publications"] and places.get(row["key"], {}).get("subregion") == place["subregion"]
        ]
        others = [row for row in pool if row["key"] != code]
        own = by_code.get(code)
        x, n = (own["papers"], own["publications"]) if own in pool else (0, 0)
        y, m = sum(row["papers"] for row in others), sum(row["publications"] for row in others)
        rates = sorted(row["rate"] for row in pool if not row["below"])
        middle = len(rates) // 2
        result[code] = {
            "pooled_rate": (x + y) * 100_000 / (n + m) if n + m else None,
            "median_rate": (rates[middle] + rates[~middle]) / 2 if rates else None,
            **ratio(x, n, y, m),
        }
    return result


def ratio(x, n, y, m):
    if not n or not m:
        return {"rate_ratio": None, "rate_ratio_ci_low": None, "rate_ratio_ci_high": None}
    low, high = binomial_limits(x, x + y) if x + y else (0.0, 1.0)
    return {
        "rate_ratio": 0.0 if x == 0 else None if y == 0 else (x / n) / (y / m),
        "rate_ratio_ci_low": low / (1 - low) * m / n,
        "rate_ratio_ci_high": None if high == 1 else high / (1 - high) * m / n,
    }


def totals(papers, rows, places):
    """The world and each region and sub-region, over the countries with publications."""
    published = [row for row in rows if row["publications"]]
    groups = {"World": published}
    for row in published:
        for level in ("region", "subregion"):
            name = places.get(row["key"], {}).get(level)
            if name:
                groups.setdefault(name, []).append(row)
    result = {}
    for name, members in groups.items():
        codes = {row["key"] for row in members}
        k, n = sum(row["papers"] for row in members), sum(row["publications"] for row in members)
        kf = math.fsum(1 / len(paper["countries"]) for paper in papers for code in paper["countries"] if code in codes)
        nf = math.fsum(row["publications_fractional"] for row in members)
        result[name] = {
            "countries": len(codes),
            "papers": sum(bool(paper["countries"] & codes) for paper in papers),
            "papers_by_country": k,
            "publications_by_country": n,
            "pooled_rate": k * 100_000 / n,
            "papers_fractional": kf,
            "publications_fractional": nf,
            "rate_fractional": kf * 100_000 / nf if nf else None,
        }
    return result


def by_reason(papers, rows):
    """The reasons of all papers against the publications of the world, and of each country against its own."""
    world = math.fsum(row["publications_fractional"] for row in rows)
    places = [("world", papers, world)]
    places += [(row["key"], [one for one in papers if row["key"] in one["countries"]], row["publications"]) for row in rows]
    result = {}
    for key, inside, n in places:
        result[key] = {}
        for reason in {reason for paper in inside for reason in paper["reasons"]}:
            k = sum(reason in paper["reasons"] for paper in inside)
            low, high = poisson_limits(k) if n else (None, None)
            result[key][reason] = {
                "papers": k,
                "share": k / len(inside),
                "publications": n,
                "rate": k * 100_000 / n if n else None,
                "rate_ci_low": low * 100_000 / n if n else None,
                "rate_ci_high": high * 100_000 / n if n else None,
            }
    return result


def series(papers, counts, first, last):
    result = {}
    for code in set(counts) | {code for paper in papers for code in paper["countries"]}:
        points = []
        for year in range(first, last + 1):
            k = sum(code in paper["countries"] and paper["year"] == year for paper in papers)
            n = counts.get(code, {}).get(year, (0, 0))[0]
            points.append({"year": year, "papers": k, "publications": n, "rate": k * 100_000 / n if n else None})
        result[code] = points
    return result


@cache
def poisson_limits(k):
    """The means at which k or more, and k or fewer, have a probability of 2.5%."""
    top = 2 * k + 20.0
    low = 0.0 if k == 0 else solve(lambda mean: 1 - poisson_below(k, mean) - TAIL, 0.0, top)
    return low, solve(lambda mean: TAIL - poisson_below(k + 1, mean), 0.0, top)


def poisson_below(k, mean):
    if mean == 0:
        return 1.0
    return math.fsum(math.exp(i * math.log(mean) - mean - math.lgamma(i + 1)) for i in range(k))


@cache
def binomial_limits(x, total):
    """The shares at which x or more, and x or fewer, of the total have a probability of 2.5%."""
    low = 0.0 if x == 0 else solve(lambda p: 1 - binomial_below(x, total, p) - TAIL, 0.0, 1.0)
    return low, 1.0 if x == total else solve(lambda p: TAIL - binomial_below(x + 1, total, p), 0.0, 1.0)


def binomial_below(x, total, p):
    return math.fsum(math.comb(total, i) * p**i * (1 - p) ** (total - i) for i in range(x))


def solve(rising, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


main(*sys.argv[1:])
