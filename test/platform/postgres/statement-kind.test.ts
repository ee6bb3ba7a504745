import { expect } from "chai";
import { operationOf } from "../../../src/platform/postgres/database.ts";

describe("the operation of a statement", () => {
  for (const [statement, operation] of [
    ["select 1", "select"],
    ["\n  UPDATE checks set title = 'delete'", "update"],
    ["begin", "begin"],
    ["with changed as (\n  delete from checks returning check_id) select * from changed", "delete"],
    ["with last as (select 1) select * from last", "select"],
    ["vacuum documents", "other"],
    ["", "other"],
  ] as const) {
    it(`${JSON.stringify(statement)} is ${operation}`, () =>
      expect(operationOf(statement)).to.equal(operation));
  }
});
