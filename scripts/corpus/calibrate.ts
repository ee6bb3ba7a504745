import { parseArgs } from "node:util";
import { type Calibrated, type Measured, SENTENCES_MAX } from "../../src/corpus/meaning/calibrate-model.ts";
import { printResult, readCommand } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run corpus:calibrate -- [--replace] [--json]

Measures the model of your embedding server (EMBEDDINGS_URL) on ${SENTENCES_MAX} random sentences of the corpus: what its cosines
usually are, and how far apart. Workers do so by themselves when the model is new. Prints what it finds, and stores it if the model
was not measured before. The service may be running.

  --replace  store it in any case; workers then encode all documents again, and checks use the earlier fingerprints until
             these are complete. For a corpus that has grown a lot or a server that has another model under the same name
  --json     print the result as JSON on the last line of standard output`;

type Request = { readonly replace: boolean; readonly json: boolean };

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runCalibration(request);

function readRequest(args: string[]): Request {
  const options = {
    replace: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  } as const;
  return parseArgs({ args, options }).values;
}

function runCalibration({ replace, json }: Request): Promise<void> {
  return runCorpusCommand(async ({ encoderModels, calibrateModel }, { signal, say }) => {
    const measured = await calibrateModel.anew(await encoderModels.encoder(), {
      replaces: replace,
      say,
      signal,
    });
    if (measured === undefined) {
      say("Another process calibrates the model at the moment.");
      return 1;
    }
    printResult(present(measured), json ? presentJson(measured) : undefined);
    return 0;
  });
}

function present(measured: Measured | Calibrated): string[] {
  const { model, sentences } = measured;
  const { background, code, marginScale } = model.calibration;
  return [
    ...textTable([
      ["model", model.model],
      ["dimensions", String(model.dimensions)],
      ["measured on", `${sentences} sentences`],
      ["centroids", String(centroidsOf(model))],
      [
        "background",
        `${background.base.toFixed(3)} + ${background.slope.toFixed(3)} times the mean cosine with the nearest centroids`,
      ],
      ["margins are multiplied by", marginScale.toFixed(2)],
      ["cosines from codes", `${code.scale.toFixed(4)} times the sum, ${code.offset.toFixed(4)} more`],
    ]),
    "",
    "generation" in measured
      ? `Stored as generation ${measured.generation}; workers encode the documents for it.`
      : "Not stored, as the model was measured before; --replace stores it.",
  ];
}

function presentJson(measured: Measured | Calibrated) {
  const { model, sentences } = measured;
  const { background, code, marginScale } = model.calibration;
  return {
    model: model.model,
    dimensions: model.dimensions,
    sentences,
    centroids: centroidsOf(model),
    background,
    code,
    margin_scale: marginScale,
    generation: "generation" in measured ? measured.generation : null,
  };
}

function centroidsOf({ centroids, dimensions }: Measured["model"]): number {
  return centroids.length / dimensions;
}
