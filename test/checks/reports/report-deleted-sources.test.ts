import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { expectedPct, expectReportLaws, lengthIn, markedTexts, onlySource } from "./report-laws.ts";

/** The key of the lock at which a trigger of these tests holds a check. */
const GATE = 4_711;

describe("reports whose sources are deleted", () => {
  const engine = useEngine();

  before(async () => {
    await engine.database.query(
      `create function wait_at_gate() returns trigger language plpgsql as
         $$ begin perform pg_advisory_xact_lock(${GATE}); return new; end $$`,
    );
  });

  describe("specification 2.3: a report that used a deleted document loses its source rows and keeps its overall scores", () => {
    it("unique_passages and all totals stay as they were, in both units", async () => {
      const [one, two] = [prose(1, 30), prose(2, 30)];
      const deleted = await engine.client.addDocument("deleted.txt", one);
      const kept = await engine.client.addDocument("kept.txt", two);
      const before = await engine.client.checked(`😀 ${one} ${prose(3, 30)} ${two} ${prose(4, 30)}`);
      expect(before.sources).to.have.lengthOf(2);
      const utf16Before = await engine.client.report(before.check_id, "?offset_unit=utf16");
      await remove(deleted.document_id);
      const after = await engine.client.report(before.check_id);
      const stays = (source: WireReport["sources"][number]) => source.source_document_id === kept.document_id;
      // Only passages of sources that are left are told apart by how they are acknowledged.
      const { match_groups } = after;
      expect(match_groups?.neither.passages).to.equal(1);
      expect(after).to.deep.equal({ ...before, match_groups, sources: before.sources.filter(stays) });
      expect(await engine.client.report(before.check_id, "?offset_unit=utf16")).to.deep.equal({
        ...utf16Before,
        match_groups,
        sources: utf16Before.sources.filter(stays),
      });
      expect((await engine.client.check(before.check_id)).overall_similarity_pct).to.equal(
        before.overall_similarity_pct,
      );
    });

    it("a filtered report has only what is left; the unfiltered percentage stays that of the check", async () => {
      const [one, two] = [prose(11, 30), prose(12, 30)];
      const deleted = await engine.client.addDocument("deleted.txt", one);
      await engine.client.addDocument("kept.txt", two);
      const report = await engine.client.checked(`${one} ${prose(13, 30)} ${two} ${prose(14, 30)}`);
      await remove(deleted.document_id);
      const filtered = await engine.client.report(report.check_id, "?min_words=1");
      expect(markedTexts(filtered)).to.deep.equal([two]);
      expect(filtered.overall_similarity_pct).to.equal(
        expectedPct(two.length, lengthIn("code_point", report.query_text)),
      );
      expect(filtered.filters?.unfiltered_similarity_pct).to.equal(report.overall_similarity_pct);
    });
  });

  describe("decisions, Engine: corpus: a deleted document is never matched again from the moment of its 204", () => {
    it("not by a check that starts then", async () => {
      const text = prose(21, 60);
      const { document_id } = await engine.client.addDocument("gone.txt", text);
      expect((await engine.client.checked(text)).sources).to.have.lengthOf(1);
      await remove(document_id);
      const report = await engine.client.checked(text);
      expectReportLaws(report);
      expect(report).to.deep.include({ sources: [], unique_passages: [], overall_similarity_pct: 0 });
    });

    for (const stage of ["retrieving", "aligning", "assembling"] as const) {
      it(`nor by one that runs and has come to ${stage}; its other sources stay`, async () => {
        const [one, two] = [prose(31, 30), prose(32, 30)];
        const gone = await engine.client.addDocument(`gone-${stage}.txt`, `${one} ${prose(33, 20)}`);
        const kept = await engine.client.addDocument(`kept-${stage}.txt`, `${two} ${prose(34, 20)} ${stage}`);
        const report = await whileHeldAt(stage, `${one} ${prose(35, 30)} ${two} ${prose(36, 30)}`, () =>
          remove(gone.document_id),
        );
        expectReportLaws(report);
        expect(onlySource(report).source_document_id).to.equal(kept.document_id);
        expect(markedTexts(report)).to.deep.equal([two]);
        await remove(kept.document_id);
      });
    }

    it("one that is deleted while the report is being written leaves it with its scores and without the rows", async () => {
      const text = prose(41, 40);
      const { document_id } = await engine.client.addDocument("late.txt", text);
      const query = `${text} ${prose(42, 40)}`;
      let removed: Promise<void> | undefined;
      const report = await whileHeldAt(
        "complete",
        query,
        async () => {
          removed = remove(document_id);
          await sleep(100);
        },
        async () => removed,
      );
      expect(report.sources).to.deep.equal([]);
      expect(markedTexts(report)).to.deep.equal([text]);
      expect(report.total_matched_chars).to.equal(text.length);
    });
  });

  async function remove(documentId: string): Promise<void> {
    const response = await engine.client.request(`/v1/corpus/documents/${documentId}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
  }

  /** Holds a check just before it enters a stage (or completes), does something, lets it go on, and gives its report. */
  async function whileHeldAt(
    point: "retrieving" | "aligning" | "assembling" | "complete",
    query: string,
    act: () => Promise<void>,
    beforeReading: () => Promise<void> = async () => {},
  ): Promise<WireReport> {
    const column = point === "complete" ? "status" : "stage";
    await engine.database.query(
      `create or replace trigger gate before update on checks for each row
         when (new.${column} = '${point}' and old.${column} is distinct from new.${column}) execute function wait_at_gate()`,
    );
    const checkId = await engine.database.transaction(async (gate) => {
      await gate.query("select pg_advisory_xact_lock($1)", [GATE]);
      const checkId = await engine.client.submit(query);
      await checkWaits();
      await act();
      return checkId;
    });
    const check = await engine.client.ended(checkId);
    await engine.database.query("drop trigger gate on checks");
    expect(check.status).to.equal("complete");
    await beforeReading();
    return engine.client.report(checkId);
  }

  async function checkWaits(): Promise<void> {
    for (;;) {
      const rows = await engine.database.query(
        `select 1 as waits from pg_locks join pg_database on pg_database.oid = database
          where datname = current_database() and locktype = 'advisory' and objid = ${GATE} and not granted`,
      );
      if (rows.length > 0) return;
      await sleep(10);
    }
  }
});
