import { EngineClient } from "../client.ts";
import { startTestService, type TestService } from "../service.ts";
import { freshDatabase, testStores } from "../stores.ts";
import { StoreLink } from "./store-link.ts";

/** A service whose connections to both stores a test can cut; they are mended after each test. */
export function useStoreLinks() {
  let opened: { readonly postgres: StoreLink; readonly opensearch: StoreLink; readonly client: EngineClient };
  let service: TestService | undefined;
  before(async function () {
    this.timeout(180_000);
    const { opensearchNodes } = await testStores();
    const postgres = await StoreLink.open(await freshDatabase());
    const opensearch = await StoreLink.open(opensearchNodes[0] ?? "");
    service = await startTestService({ databaseUrl: postgres.url, opensearchNodes: [opensearch.url] });
    opened = { postgres, opensearch, client: new EngineClient(service.base) };
  });
  afterEach(() => Promise.all([opened.postgres.mend(), opened.opensearch.mend()]));
  after(async () => {
    await service?.stop();
    await Promise.all([opened.postgres.cut(), opened.opensearch.cut()]);
  });
  return {
    get postgres() {
      return opened.postgres;
    },
    get opensearch() {
      return opened.opensearch;
    },
    get client() {
      return opened.client;
    },
  };
}
