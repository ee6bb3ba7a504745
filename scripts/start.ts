import { runService } from "../src/service/run-service.ts";
import { prepareEncoder } from "../tools/encoder/prepare-encoder.ts";
import { openStores } from "../tools/stores/open-stores.ts";

await runService({ openStores, prepareEncoder });
