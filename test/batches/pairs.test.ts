import { expect } from "chai";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { BatchClient, pairNames } from "./batch-client.ts";

describe("comparing the members of a batch", function () {
  this.timeout(120_000);

  const engine = useEngine();
  const batches = new BatchClient(() => engine.client);
  const copied = prose(1, 120);

  it("reports who shares text with whom, with the similarity of each side and the passages", async () => {
    const { batch, report } = await batches.compared([
      { name: "anna", text: `${prose(2, 200)} ${copied}` },
      { name: "ben", text: `${copied} ${prose(3, 400)}` },
      { name: "carl", text: prose(4, 300) },
    ]);
    expect(batch.status).to.equal("complete");
    expect(batch).to.include({
      members_total: 3,
      members_read: 3,
      members_compared: 3,
      members_failed: 0,
      pairs_found: 1,
    });
    expect(pairNames(report)).to.deep.equal(["anna & ben"]);
    const [pair] = report.pairs;
    expect(pair?.a.similarity_pct).to.be.within(36, 39);
    expect(pair?.b.similarity_pct).to.be.within(22, 25);
    expect(pair?.similarity_pct).to.equal(pair?.a.similarity_pct);
    expect(report.members.map(({ name, pairs }) => [name, pairs])).to.deep.equal([
      ["anna", 1],
      ["ben", 1],
      ["carl", 0],
    ]);
    expect(report.clusters.map(({ members }) => members.map(({ name }) => name))).to.deep.equal([
      ["anna", "ben"],
    ]);
    expect(report.histogram.map(({ members }) => members)).to.deep.equal([1, 0, 1, 1, 0, 0, 0, 0, 0, 0]);

    const [anna, ben] = batch.members.map(({ member_id }) => member_id);
    const view = await batches.pair(batch.batch_id, ben ?? "", anna ?? "", "?offset_unit=utf16");
    expect(view.a.name).to.equal("anna");
    const [passage] = view.passages;
    expect(view.passages).to.have.length(1);
    expect(view.a.text.slice(passage?.source_document_start, passage?.source_document_end)).to.equal(copied);
    expect(view.b.text.slice(passage?.query_start, passage?.query_end)).to.equal(copied);
  });

  it("finds every pair once, in whatever order texts arrive", async () => {
    const members = Array.from({ length: 60 }, (_, at) => ({
      name: `m${String(at).padStart(2, "0")}`,
      text: at % 20 === 0 ? `${prose(100 + at, 150)} ${copied}` : prose(100 + at, 150),
    }));
    const { report } = await batches.compared(members);
    expect(pairNames(report)).to.deep.equal(["m00 & m20", "m00 & m40", "m20 & m40"]);
    const { report: reversed } = await batches.compared(members.toReversed());
    expect(pairNames(reversed)).to.deep.equal(pairNames(report));
  });

  it("compares latecomers with everyone, and nobody else again", async () => {
    const first = await batches.compared([
      { name: "old", text: `${prose(10, 150)} ${copied}` },
      { name: "other", text: prose(11, 150) },
    ]);
    expect(first.report.pairs).to.deep.equal([]);
    const { batch_id: batchId } = first.batch;
    await batches.add(batchId, [
      { name: "late", text: `${copied} ${prose(12, 150)}` },
      { name: "later", text: `${prose(13, 90)} ${copied}` },
    ]);
    const batch = await batches.ended(batchId);
    expect(batch.members_total).to.equal(4);
    expect(pairNames(await batches.report(batchId))).to.deep.equal([
      "late & later",
      "late & old",
      "later & old",
    ]);
  });

  it("does not compare members of one group, nor text from a template", async () => {
    const template = prose(20, 80);
    const { report } = await batches.compared(
      [
        { name: "draft 1", group: "anna", text: `${template} ${prose(21, 100)} ${copied}` },
        { name: "draft 2", group: "anna", text: `${template} ${prose(21, 100)} ${copied}` },
        { name: "ben", text: `${template} ${prose(22, 200)}` },
        { name: "carl", text: `${template} ${prose(23, 100)} ${copied}` },
      ],
      { templates: [template] },
    );
    expect(pairNames(report)).to.deep.equal(["carl & draft 1", "carl & draft 2"]);
    const [pair] = report.pairs;
    const view = await batches.pair(report.batch_id, pair?.a.member_id ?? "", pair?.b.member_id ?? "");
    expect(view.a.template_text).to.deep.equal(
      [[0, template.length + 1]].map(([start]) => [start, template.length]),
    );
    expect(view.a.compared_chars).to.equal(view.a.char_count - template.length);
  });

  it("compares last year's texts with those of this year, whichever come first", async () => {
    const group = "last year";
    const old = (first: number, count: number) =>
      Array.from({ length: count }, (_, at) => {
        const name = `old ${first + at}`;
        return { name, group, text: `${prose(30 + first + at, 90)} ${copied}` };
      });
    const { batch, report } = await batches.compared(old(0, 30));
    expect(report.pairs).to.deep.equal([]);
    const add = async (...members: readonly object[]) => {
      await batches.add(batch.batch_id, members);
      await batches.ended(batch.batch_id);
    };
    await add(...old(30, 1));
    await add({ name: "new", text: `${copied} ${prose(71, 90)}` });
    await add(...old(31, 1));
    const found = await batches.report(batch.batch_id, "?limit=500&exclude_common=false");
    const pairs = Array.from({ length: 32 }, (_, at) => `new & old ${at}`);
    expect(pairNames(found)).to.deep.equal(pairs.toSorted());
  });

  it("marks text that many members share, which a filter leaves out", async () => {
    const shared = prose(30, 60);
    const members = Array.from({ length: 14 }, (_, at) => ({
      name: `c${at}`,
      text: `${prose(300 + at, 120)} ${at < 12 ? shared : copied}`,
    }));
    const { batch, report } = await batches.compared(members);
    expect(pairNames(report)).to.deep.equal(["c12 & c13"]);
    const unfiltered = await batches.report(batch.batch_id, "?exclude_common=false");
    expect(unfiltered.pairs_total).to.equal(66 + 1);
    const common = new Map(report.members.map(({ name, common_pct }) => [name, common_pct]));
    expect(common.get("c0")).to.be.within(25, 35);
    expect(common.get("c12")).to.equal(0);
  });

  it("counts no template as common text, also where it lies within common text", async () => {
    const [template, shared, more] = [prose(31, 60), prose(32, 40), prose(33, 40)];
    const members = Array.from({ length: 12 }, (_, at) => ({
      name: `t${at}`,
      text: `${shared} ${template} ${more} ${prose(320 + at, 80)}`,
    }));
    const { report } = await batches.compared(members, { templates: [template] });
    for (const { common_pct: pct } of report.members) expect(pct).to.be.within(40, 55);
  });

  it("gives all members and pairs at once, with the figures of the report and under the same filters", async () => {
    const common = prose(70, 60);
    const { batch } = await batches.compared(
      Array.from({ length: 11 }, (_, at) => ({
        name: `text ${at}`,
        text: `${prose(80 + at, 200)} ${common} ${at < 3 ? copied : ""}`,
      })),
    );
    for (const [query, expected] of [
      ["?exclude_common=false", 55],
      ["", 3],
      ["?exclude_common=false&min_similarity=30", 3],
    ] as const) {
      const least = query.includes("min_similarity") ? query : `${query || "?"}&min_similarity=0`;
      const report = await batches.report(batch.batch_id, least);
      const graph = await batches.graph(batch.batch_id, query);
      expect(graph.pairs_total, query).to.equal(expected);
      const { pairs } = graph;
      for (const column of Object.values(pairs)) expect(column).to.have.length(expected);
      const fromGraph = pairs.a.map((a, at) => [
        a,
        pairs.b[at],
        pairs.a_similarity_pct[at],
        pairs.b_similarity_pct[at],
      ]);
      const listed = report.pairs.map(({ a, b }) => [
        a.ordinal,
        b.ordinal,
        a.similarity_pct,
        b.similarity_pct,
      ]);
      expect(fromGraph, query).to.deep.equal(listed);
      const ranked = report.members.map((member) => ({
        ...member,
        nearest: member.nearest?.ordinal ?? null,
      }));
      expect(graph.members, query).to.deep.equal(ranked);
    }
    const ids = [3, 4].map((ordinal) => batch.members[ordinal]?.member_id ?? "");
    const whole = await batches.pair(batch.batch_id, ids[0] ?? "", ids[1] ?? "", "?exclude_common=false");
    expect(whole.passages).to.have.length(1);
    expect(whole.longest_passage_chars).to.equal(whole.b.matched_chars);
    const left = await batches.pair(batch.batch_id, ids[0] ?? "", ids[1] ?? "");
    expect(left.passages).to.deep.equal([]);
    expect(left).to.include({ similarity_pct: 0, longest_passage_chars: 0 });
  });

  it("counts quotations only when asked", async () => {
    const { batch, report } = await batches.compared([
      { name: "a", text: `${prose(40, 100)} "${prose(41, 50)}" ${prose(42, 50)}` },
      { name: "b", text: `${prose(43, 100)} "${prose(41, 50)}" ${prose(44, 50)}` },
    ]);
    expect(report.pairs_total).to.equal(0);
    expect((await batches.report(batch.batch_id, "?exclude_quotes=false")).pairs_total).to.equal(1);
  });

  it("counts the passages of a pair, and measures the longest, under the filters", async () => {
    const quoted = `"${prose(51, 60)}"`;
    const shared = prose(52, 30);
    const { batch } = await batches.compared([
      { name: "a", text: `${prose(53, 100)} ${quoted} ${prose(54, 50)} ${shared}` },
      { name: "b", text: `${prose(55, 100)} ${quoted} ${prose(56, 50)} ${shared}` },
    ]);
    const ids = batch.members.map(({ member_id }) => member_id);
    const longest: number[] = [];
    for (const [query, passages] of [
      ["", 1],
      ["?exclude_quotes=false", 2],
    ] as const) {
      const [pair] = (await batches.report(batch.batch_id, query)).pairs;
      const view = await batches.pair(batch.batch_id, ids[0] ?? "", ids[1] ?? "", query);
      expect(view.passages, query).to.have.length(passages);
      expect(pair, query).to.include({
        passage_count: passages,
        longest_passage_chars: view.longest_passage_chars,
      });
      longest.push(view.longest_passage_chars);
    }
    expect(longest[0]).to.be.below(longest[1] ?? 0);
  });
});
