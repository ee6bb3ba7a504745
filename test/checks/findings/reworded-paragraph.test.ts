import { expect } from "chai";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { markedTexts } from "../reports/report-laws.ts";

const SOURCE = [
  "The salt road of Vellmark began at the pans of Ostra, where sea water was led into clay basins and left to dry for six weeks. Boys raked the crust into heaps each August, and the heaps were carried to a shed with a tiled roof. A good summer gave nine hundred barrels, a wet one hardly a third of that.",
  "From Ostra the barrels travelled by ox cart to the ferry at Linnholm, a journey of four days. The ferryman took every twentieth barrel as his fee, which made his family the richest in the valley. In 1731 the traders refused to pay and built a bridge of oak beside the ferry. It stood for eleven years before the ice of the winter of 1742 carried it off.",
  "The last market on the road was Harrow Cross. Tanners from the hills bought the coarse grey salt for their hides, while the white salt went to the dairies. Quarrels about false weights were so common that the town kept a stone of exactly forty pounds, chained to the church door.",
] as const;

/** The second paragraph in other words, order and sentences. */
const REWORDED =
  "Ox carts needed four days to bring the barrels from Ostra as far as Linnholm, where a ferry crossed the river. Because one barrel in twenty had to be left with the ferryman, nobody in the valley was wealthier than his kin. The merchants at last declined to hand over this toll: next to the ferry they put up an oak bridge in 1731. Ice swept it away in the winter of 1742, when it was eleven years old.";

const COPIED = SOURCE[0];

const OWN = [
  "My grandmother kept bees behind the school, and I learned to count by the frames of her hives. She wrote the weight of each harvest on the inside of the cellar door. When the house was sold, the new owners painted over it without asking what the numbers meant.",
  "We rehearsed the play in a gymnasium that smelled of rubber and floor wax. Half of the cast had a cold, and the director spoke so softly that the back row invented its own cues. On the evening of the premiere the lights failed in the second act, and we finished by torchlight.",
  "The printer in the office has opinions. It accepts letters in the morning and refuses them after lunch, and it can tell when somebody is in a hurry. A technician came twice, found nothing, and left a sticker with a telephone number that nobody answers.",
] as const;

describe("a paragraph in other words", function () {
  this.timeout(120_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });

  before(async () => {
    const added = await engine.client.addDocument("salt-road.txt", SOURCE.join("\n\n"));
    const other = await engine.client.addDocument(
      "own.txt",
      "Nobody has written about this lighthouse before, as far as I know.",
    );
    await engine.client.encoded([added.document_id, other.document_id]);
  });

  const [first, second, third] = OWN;
  for (const [place, paragraphs] of Object.entries({
    "by itself": [REWORDED],
    "at the beginning": [REWORDED, first, second, third],
    "between paragraphs of the writer's own": [first, second, REWORDED, third],
    "behind a copied paragraph": [first, COPIED, REWORDED, second],
    "before a copied paragraph": [first, REWORDED, COPIED, second],
    "at the end": [first, second, third, REWORDED],
  }))
    it(`is marked from end to end ${place}, and nothing else`, async () => {
      const report = await engine.client.checked(paragraphs.join("\n\n"));
      // The paragraph before it in the source may be one passage with it.
      const marked = markedTexts(report).join("\n\n").replace(COPIED, "").trim();
      expect(marked).to.equal(REWORDED);
    });
});
