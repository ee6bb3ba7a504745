import { expect } from "chai";
import { DomainError } from "../../../src/platform/domain-error.ts";
import { mappedPort, memoryFor } from "../../../tools/stores/compose.ts";
import { checkedHeap, missingStores, openStores } from "../../../tools/stores/open-stores.ts";

describe("the choice of the stores", () => {
  it("uses the given URLs, and starts and stops nothing", async () => {
    const stores = await openStores({
      databaseUrl: "postgres://db.example/x",
      opensearchUrls: ["http://a.example:9200", "http://b.example:9200"],
      dataDir: "/nonexistent/never/made",
      opensearchHeap: "1g",
      say: (line) => expect.fail(line),
    });
    expect(stores).to.include({ kind: "given", databaseUrl: "postgres://db.example/x" });
    expect(stores.opensearchNodes).to.deep.equal(["http://a.example:9200", "http://b.example:9200"]);
    await stores.stop();
  });

  it("covers only stores without a URL", () => {
    expect(missingStores({})).to.deep.equal(["postgres", "opensearch"]);
    expect(missingStores({ databaseUrl: "postgres://x" })).to.deep.equal(["opensearch"]);
    expect(missingStores({ opensearchUrls: ["http://x"] })).to.deep.equal(["postgres"]);
    expect(missingStores({ databaseUrl: "postgres://x", opensearchUrls: [] })).to.deep.equal(["opensearch"]);
  });

  it("accepts JVM heap sizes from 256 MB, and names the setting otherwise", () => {
    expect(["256m", "1g", " 2G "].map(checkedHeap)).to.deep.equal(["256m", "1g", "2g"]);
    for (const wrong of ["", "1", "128m", "1 gb", "-1g", "0g"]) {
      expect(() => checkedHeap(wrong), wrong).to.throw(DomainError, /OPENSEARCH_HEAP/);
    }
  });

  it("gives OpenSearch's container twice its heap, and no less than the default", () => {
    expect(["512m", "1g", "1536m", "4g"].map(memoryFor)).to.deep.equal(["2048m", "2048m", "3072m", "8192m"]);
  });

  it("reads the port that Docker Compose prints", () => {
    expect(mappedPort("127.0.0.1:49153\n")).to.equal(49153);
    expect(mappedPort("[::]:5432\n")).to.equal(5432);
    expect(mappedPort(":0\n")).to.equal(undefined);
    expect(mappedPort("")).to.equal(undefined);
  });
});
