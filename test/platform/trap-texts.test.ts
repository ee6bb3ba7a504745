import { readsTrapTexts } from "./reads-trap-texts.ts";

// Short, for the soundness of the spans; that they are read in linear time shows in test/system/hostile.
readsTrapTexts({ units: 2_000, timeoutMs: 30_000 });
