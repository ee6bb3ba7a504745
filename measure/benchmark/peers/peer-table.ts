import { figureTable } from "../../evaluation/report/score-lines.ts";
import type { PeerFailure, PeerFigures } from "./peer-figures.ts";

/** Follows a figure that is better than ours. */
const BETTER = "*";

const NO_INDEX = "no index";

/** A table for people: ours first, then the peers. Figures better than ours are marked. */
export function peerTable(ours: PeerFigures, peers: readonly (PeerFigures | PeerFailure)[]): string[] {
  const header = [
    "",
    "from scratch",
    "x ours",
    "warm",
    "x ours",
    ...ours.classes.map(({ className }) => className),
    "characters",
    "marked rightly",
    "false sources a text",
  ];
  const measured = peers.flatMap((peer) => ("reason" in peer ? [] : [peer]));
  const failures = peers.flatMap((peer) => ("reason" in peer ? [peer] : []));
  return [
    ...figureTable([header, row(ours, ours), ...measured.map((peer) => row(peer, ours))]),
    ...failures.map(({ name, reason }) => `${name}: ${reason}`),
  ];
}

/** Explains the columns to the reader. */
export const TABLE_NOTES = [
  `${BETTER} better than ours. From scratch: from the files to the first answer, with the start of its process; warm: one query with`,
  `the sources loaded, the median ("${NO_INDEX}": each query is from scratch), in OpenSearch after 300 others. Ours counts HTTP, queue,`,
  "writing the report to PostgreSQL and progress; OpenSearch and PostgreSQL run already. By class: sources found, of those known. Characters: planted ones that are",
  "marked as their source's; marked rightly: the planted share of the marked ones. False sources: in texts with complete ground truth.",
] as const;

function row(peer: PeerFigures, ours: PeerFigures): string[] {
  return [
    peer.name,
    ...time(peer.fromScratchSeconds, ours.fromScratchSeconds),
    ...time(peer.warmSeconds, ours.warmSeconds),
    ...peer.classes.map(({ className, sources, foundSources }) => {
      const our = ours.classes.find((one) => one.className === className)?.foundSources ?? 0;
      return marked(`${foundSources}/${sources}`, foundSources > our);
    }),
    marked(percent(peer.charsFound), peer.charsFound > ours.charsFound),
    marked(percent(peer.charsRight), peer.charsRight > ours.charsRight),
    marked(peer.falseSources.toFixed(1), peer.falseSources < ours.falseSources),
  ];
}

/** A time, and how many times ours it is. */
function time(seconds: number | undefined, ours: number | undefined): [string, string] {
  if (seconds === undefined || ours === undefined) return [NO_INDEX, ""];
  const shown = seconds < 1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(1)} s`;
  return [marked(shown, seconds < ours), (seconds / ours).toPrecision(2)];
}

/** Figures end alike whether they are marked or not. */
function marked(figure: string, isBetter: boolean): string {
  return `${figure}${isBetter ? BETTER : " "}`;
}

function percent(share: number): string {
  return Number.isNaN(share) ? "-" : `${(100 * share).toFixed(0)}%`;
}
