import { expect } from "chai";
import { pino } from "pino";
import type { PartMember } from "../../src/batches/batch-store.ts";
import { earlierMembers } from "../../src/batches/member-corpus.ts";
import { MemberSearch } from "../../src/batches/member-search.ts";
import { IndexedWords } from "../../src/corpus/index.ts";
import type { WordIndex } from "../../src/matching/set.ts";
import { searchWindows } from "../../src/matching/words/search-terms.ts";
import type { Corpus } from "../../src/service/connect-corpus.ts";
import { openCorpus } from "../../src/service/connect-corpus.ts";
import { fingerprintText } from "../../src/text/fingerprint-text.ts";
import { sampledShingles } from "../../src/text/sampled-shingles.ts";
import { wordTerms } from "../../src/text/word-terms.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { BatchClient, pairNames } from "./batch-client.ts";

const MEMBERS = 60;

/** In nats: about half of strong evidence, and no whole tenth, as a bound with a logarithm is none. */
const SCORE_MIN = 13.92;

describe("where the members of a batch are searched for", function () {
  this.timeout(120_000);

  const engine = useEngine();
  const batches = new BatchClient(() => engine.client);
  const signal = new AbortController().signal;
  const copied = prose(1, 60);
  let parts: Corpus;
  let batchId: string;
  let members: readonly PartMember[];

  const text = (at: number) =>
    at % 4 === 0
      ? `${prose(100 + at, 700)} ${copied}`
      : `${prose(100 + at, 300)} ${prose(2 + (at % 3), 150)}`;

  before(async () => {
    parts = await openCorpus(engine.options, pino({ level: "silent" }));
    const sent = Array.from({ length: MEMBERS }, (_, at) => ({
      name: `m${at}`,
      text: text(at),
      ...(at % 2 === 0 && { group: `g${at % 6}` }),
    }));
    batchId = (await batches.compared(sent)).batch.batch_id;
    // As they were before the comparison.
    await engine.database.query("update batch_members set status = 'read' where batch_id = $1", [batchId]);
    const partIds = await parts.batches.partIds(engine.database, batchId);
    const ofParts = partIds.map((part) => parts.batches.ofPart(engine.database, part, "read"));
    members = (await Promise.all(ofParts)).flat().toSorted((a, b) => a.ordinal - b.ordinal);
  });
  after(() => parts.close());

  const memberSearch = () => new MemberSearch({ ...parts, encoder: parts.encoderModels });

  /** The answers of an index to all questions of the matching. */
  async function answers(searched: WordIndex, at: number) {
    const forms = fingerprintText(text(at), "en").map(({ form }) => form);
    const shingles = forms.map(sampledShingles);
    const words = [...new Set(forms.flatMap(wordTerms))];
    const counts = await searched.countTerms({ shingles: shingles.flat(), words });
    const windows = forms.flatMap((form) => searchWindows(form, counts.words).map(({ terms }) => terms));
    const byWords = await searched.findWords(
      windows.filter(({ length }) => length > 0),
      8,
      10_000,
      SCORE_MIN,
    );
    const byShingles = await searched.findShared(shingles, 20, 10_000);
    const found = [...byWords, ...byShingles].map(({ hits }) => hits);
    // Nobody is before the first member, and the second one shares nothing with it.
    if (at > 1) expect(byWords.flatMap(({ hits }) => hits)).not.to.have.length(0);
    const stored = (await parts.batches.readMembers(engine.database, batchId)).slice(0, 10);
    return {
      shingles: new Map([...counts.shingles.chunksWith].filter(([, chunks]) => chunks > 0)),
      words: new Map([...counts.words.chunksWith].filter(([, chunks]) => chunks > 0)),
      chunks: counts.words.chunks,
      // In memory, equal scores are in the order of ordinals, and in OpenSearch in that of identifiers; OpenSearch adds with 32 bits.
      scores: found.map((hits) => hits.map(({ score }) => score.toFixed(3))),
      certain: found.map((hits) =>
        hits
          .filter(({ score }) => score > (hits.at(-1)?.score ?? 0) + 0.01)
          .map(({ documentId, chunkIndex }) => `${documentId}:${chunkIndex}`)
          .toSorted(),
      ),
      forms: await searched.readForms([
        ...stored.flatMap(({ memberId: documentId, chunks }) =>
          [0, chunks - 1, chunks].map((chunkIndex) => ({ documentId, chunkIndex })),
        ),
        { documentId: "absent", chunkIndex: 0 },
      ]),
    };
  }

  async function isInMemory(part: readonly PartMember[]): Promise<boolean> {
    let inMemory = 0;
    await memberSearch().during(batchId, part, signal, async (wordsBefore) => {
      inMemory = part.filter((member) => !(wordsBefore(member) instanceof IndexedWords)).length;
    });
    return inMemory === part.length;
  }

  it("finds in memory what OpenSearch finds", async () => {
    await memberSearch().during(batchId, members, signal, async (inMemory) => {
      for (const at of [0, 1, 7, 24, 39]) {
        const member = members[at];
        if (member === undefined) throw new Error("a member is missing");
        const narrowed = new IndexedWords(parts.memberIndex, earlierMembers(member));
        expect(inMemory(member)).not.to.be.instanceOf(IndexedWords);
        expect(await answers(inMemory(member), at)).to.deep.equal(await answers(narrowed, at));
      }
    });
  });

  it("searches in OpenSearch for a member that has the ordinal of a deleted one", async () => {
    await memberSearch().during(batchId, members, signal, async (wordsBefore) => {
      const [first] = members;
      if (first === undefined) throw new Error("a member is missing");
      const memberId = "00000000-0000-7000-8000-000000000000";
      expect(wordsBefore(first)).not.to.be.instanceOf(IndexedWords);
      expect(wordsBefore({ ...first, memberId })).to.be.instanceOf(IndexedWords);
    });
  });

  it("reads a batch once for parts that run at the same time, and again after it was released", async () => {
    let reads = 0;
    const { batches: store } = parts;
    const counting = Object.assign(Object.create(store), {
      readMembers: (...given: Parameters<typeof store.readMembers>) => {
        reads += 1;
        return store.readMembers(...given);
      },
    });
    const search = new MemberSearch({ ...parts, encoder: parts.encoderModels, batches: counting });
    const part = () => search.during(batchId, members, signal, async () => undefined);
    await Promise.all([part(), part()]);
    const together = reads;
    await part();
    expect(reads).to.equal(together);
    search.release(batchId);
    await part();
    expect(reads).to.equal(2 * together);
  });

  it("searches in OpenSearch while a member before them waits to be read", async () => {
    const [early] = members;
    const mark = (status: string) =>
      engine.database.query("update batch_members set status = $2 where member_id = $1", [
        early?.memberId,
        status,
      ]);
    await mark("waiting");
    expect(await isInMemory(members.slice(1))).to.equal(false);
    await mark("read");
    expect(await isInMemory(members.slice(1))).to.equal(true);
  });

  it("searches in OpenSearch for less than a fiftieth of the members", async () => {
    const compared = (from: number) =>
      engine.database.query(
        "update batch_members set status = 'compared' where batch_id = $1 and ordinal >= $2",
        [batchId, from],
      );
    await compared(2);
    expect(await isInMemory(members.slice(0, 2))).to.equal(true);
    await compared(1);
    expect(await isInMemory(members.slice(0, 1))).to.equal(false);
  });

  it("compares a latecomer with everyone", async () => {
    await engine.database.query("update batch_members set status = 'compared' where batch_id = $1", [
      batchId,
    ]);
    await batches.add(batchId, [{ name: "late", text: `${prose(5, 200)} ${copied}` }]);
    await batches.ended(batchId);
    const names = pairNames(await batches.report(batchId, "?limit=500&exclude_common=false"));
    expect(names.filter((pair) => pair.includes("late"))).to.have.length(MEMBERS / 4);
  });

  it("has nobody to search for while all members up to a part are of one group", async () => {
    const change = (set: string) =>
      engine.database.query(`update batch_members set ${set} where batch_id = $1`, [batchId]);
    await batches.add(batchId, [{ name: "last", text: prose(5, 200) }]);
    await batches.ended(batchId);
    const partIds = await parts.batches.partIds(engine.database, batchId);
    const ofOneGroup = async () => {
      const found = partIds.map((partId) => parts.memberCorpus.isOneGroup(engine.database, partId));
      return (await Promise.all(found)).filter((isOne) => isOne).length;
    };
    expect(await ofOneGroup()).to.equal(0);
    await change("group_name = 'last year'");
    expect(await ofOneGroup()).to.equal(partIds.length);
    // Only the last part has a member of another group.
    await change("group_name = case when name = 'last' then 'this year' else group_name end");
    expect(await ofOneGroup()).to.equal(partIds.length - 1);
    // Members without a group are compared with all.
    await change("group_name = null");
    expect(await ofOneGroup()).to.equal(0);
  });
});
