import { runService } from "../src/service/run-service.ts";
import { openStores } from "../tools/stores/open-stores.ts";

await runService(openStores);
