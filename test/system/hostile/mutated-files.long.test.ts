import { readsMutatedFiles } from "../../extract/reads-mutated-files.ts";

readsMutatedFiles({ runs: 2_000, seed: 32, sharedFiles: true });
