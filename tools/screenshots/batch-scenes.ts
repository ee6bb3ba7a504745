import { BatchClient } from "../../test/batches/batch-client.ts";
import { type Scene, showFirstPassage } from "../../test/support/browser/page-screenshots.ts";
import { EngineClient } from "../../test/support/client.ts";
import { sampleClass } from "../../test/support/work/sample-class.ts";

/** Members and words of the batches that are shown. */
const SIZES = [
  [30, 250],
  [500, 120],
  [2_000, 60],
] as const;

const VIEWS = ["pairs", "clusters", "matrix", "members"] as const;

/** Compares three classes, which takes minutes, and gives the scenes of their pages. */
export async function batchScenes(base: string, say: (line: string) => void): Promise<Scene[]> {
  const client = new BatchClient(() => new EngineClient(base));
  const scenes: Scene[] = [{ name: "batches", url: `${base}/batches` }];
  for (const [members, words] of SIZES) {
    say(`Comparing ${members} texts`);
    const { batch, report } = await client.compared(sampleClass(members, words), {
      title: `Essays of ${members}`,
    });
    const url = `${base}/batches/${batch.batch_id}`;
    for (const view of VIEWS) scenes.push({ name: `batch-${members}-${view}`, url: `${url}?view=${view}` });
    const [first] = report.pairs;
    if (first !== undefined && members === SIZES[0][0])
      scenes.push({
        name: "batch-pair",
        url: `${url}/pairs/${first.a.member_id}/${first.b.member_id}`,
        prepare: showFirstPassage,
      });
  }
  return scenes;
}
