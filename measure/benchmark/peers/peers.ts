import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import type { BenchmarkStores } from "../benchmark-stores.ts";
import { runMoreLikeThis } from "./more-like-this.ts";
import { type Peer, PeerMissing } from "./peer-job.ts";
import { runPeerProgram } from "./peer-program.ts";
import type { PythonPeers } from "./python-peers.ts";
import { runSimText } from "./sim-text.ts";

export const DOLOS = fileURLToPath(new URL("dolos-program.ts", import.meta.url));

/** Objects for each word of all sources at once: more than Node.js takes by itself on a small machine. */
export const DOLOS_HEAP_MB = 6_000;

/** The peers in the order of the table. */
export function peersOn(
  { opensearch, environment }: BenchmarkStores,
  python: PythonPeers | PeerMissing,
): Peer[] {
  const index = `${environment.OPENSEARCH_INDEX_PREFIX}peers-more-like-this`;
  const withPython =
    (file: string, ...after: readonly string[]): Peer["run"] =>
    (job) => {
      if (python instanceof PeerMissing) throw python;
      const { command, program } = python(file);
      return runPeerProgram(command, { before: [program], after }, job);
    };
  return [
    {
      name: "Dolos",
      run: (job) => {
        const before = [`--max-old-space-size=${DOLOS_HEAP_MB}`, DOLOS];
        return runPeerProgram(execPath, { before }, job);
      },
    },
    { name: "datasketch", run: withPython("datasketch_lsh.py") },
    { name: "rensa, 32 bands", run: withPython("rensa_lsh.py", "32") },
    { name: "rensa, 64 bands", run: withPython("rensa_lsh.py", "64") },
    { name: "copydetect", run: withPython("copydetect_prose.py") },
    { name: "sim_text", run: runSimText },
    {
      name: "more_like_this",
      run: (job) => runMoreLikeThis(opensearch, index, job),
    },
  ];
}
