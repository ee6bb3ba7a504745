import { readsTrapTexts } from "../../platform/reads-trap-texts.ts";

/** Some ten seconds for each reader that is linear on an idle machine; hours for one that is quadratic. */
readsTrapTexts({ units: 100_000, timeoutMs: 900_000 });
