import { expect } from "chai";
import fc from "fast-check";
import { composeMaps, IDENTITY_MAP, OffsetMapBuilder } from "../../src/text/offset-map.ts";

/** Replacements as gaps before them, original lengths and rewritten lengths. */
const replacements = fc.array(
  fc.record({ gap: fc.nat(4), before: fc.nat(4), after: fc.nat(4) }).filter((r) => r.before > 0),
  { maxLength: 20 },
);

describe("offset map", () => {
  it("is the identity when no length changes", () => {
    const builder = new OffsetMapBuilder();
    builder.replace(3, 5, 2);
    expect(builder.build()).to.equal(IDENTITY_MAP);
    expect(IDENTITY_MAP.toOriginalStart(7)).to.equal(7);
    expect(IDENTITY_MAP.toOriginalEnd(7)).to.equal(7);
  });

  it("excludes text removed beside a span and includes text removed inside it", () => {
    const builder = new OffsetMapBuilder();
    builder.replace(1, 2, 0);
    builder.replace(3, 4, 0);
    builder.replace(5, 6, 0);
    const map = builder.build();
    // "a-b-c-d" became "abcd": "bc" is "b-c".
    expect([map.toOriginalStart(1), map.toOriginalEnd(3)]).to.deep.equal([2, 5]);
  });

  it("maps a place inside a replacement to the edge of the replaced text", () => {
    const builder = new OffsetMapBuilder();
    builder.replace(2, 3, 3);
    const map = builder.build();
    expect([2, 3, 4, 5].map(map.toOriginalStart)).to.deep.equal([2, 2, 2, 3]);
    expect([2, 3, 4, 5, 6].map(map.toOriginalEnd)).to.deep.equal([2, 3, 3, 3, 4]);
  });

  it("never goes back, and a span never ends before it starts", () => {
    fc.assert(
      fc.property(replacements, (given) => {
        const builder = new OffsetMapBuilder();
        let original = 0;
        let rewritten = 0;
        for (const { gap, before, after } of given) {
          original += gap;
          builder.replace(original, original + before, after);
          original += before;
          rewritten += gap + after;
        }
        const map = builder.build();
        for (let at = 0; at < rewritten; at++) {
          expect(map.toOriginalStart(at)).to.be.at.most(map.toOriginalStart(at + 1));
          expect(map.toOriginalEnd(at)).to.be.at.most(map.toOriginalEnd(at + 1));
          expect(map.toOriginalStart(at)).to.be.below(map.toOriginalEnd(at + 1));
        }
        expect(map.toOriginalEnd(rewritten)).to.be.at.most(original);
      }),
      { seed: 3 },
    );
  });

  it("leads back through two rewritings at once", () => {
    const [first, second] = [new OffsetMapBuilder(), new OffsetMapBuilder()];
    // "a  b--c" became "a b--c", and that "a bc".
    first.replace(1, 3, 1);
    second.replace(3, 5, 0);
    const map = composeMaps(second.build(), first.build());
    expect([0, 1, 2, 3].map(map.toOriginalStart)).to.deep.equal([0, 1, 3, 6]);
    expect([1, 2, 3, 4].map(map.toOriginalEnd)).to.deep.equal([1, 3, 4, 7]);
    expect(composeMaps(IDENTITY_MAP, map)).to.equal(map);
    expect(composeMaps(map, IDENTITY_MAP)).to.equal(map);
  });
});
