import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { TYPES_FILE, typesHead } from "../../tools/client-types/client-types.ts";

describe("the generated types of the client", () => {
  it("were made from the present OpenAPI document and not edited", async () => {
    const file = fileURLToPath(new URL(`../../${TYPES_FILE}`, import.meta.url));
    const [head = "", ...rest] = (await readFile(file, "utf8")).split(/(?<=^\n)/m);
    expect(head, "stale: run npm run generate:client").to.equal(typesHead(rest.join("")));
  });
});
