import { readsMutatedFiles } from "./reads-mutated-files.ts";

// Many more, of real files too, are in test/system/hostile.
readsMutatedFiles({ runs: 60, seed: 31, sharedFiles: false });
