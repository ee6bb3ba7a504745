import { expect } from "chai";
import { styleFor } from "../../../src/platform/terminal/terminal-text.ts";

const TERMINAL = { isTTY: true };
const STYLED = "\u001B[1m\u001B[31mx\u001B[39m\u001B[22m";

describe("styles", () => {
  const styled = (stream: { isTTY?: boolean }, environment: Record<string, string>) =>
    styleFor(stream, environment)(["red", "bold"], "x");

  it("are for terminals that have colours", () => {
    expect(styled(TERMINAL, {})).to.equal(STYLED);
    expect(styled({}, {})).to.equal("x");
    expect(styled(TERMINAL, { TERM: "dumb" })).to.equal("x");
  });

  it("are turned off by NO_COLOR, unless it is empty", () => {
    expect(styled(TERMINAL, { NO_COLOR: "1" })).to.equal("x");
    expect(styled(TERMINAL, { NO_COLOR: "" })).to.equal(STYLED);
  });

  it("are turned on anywhere by FORCE_COLOR, and off by its 0", () => {
    expect(styled({}, { FORCE_COLOR: "1", NO_COLOR: "1" })).to.equal(STYLED);
    expect(styled(TERMINAL, { FORCE_COLOR: "0" })).to.equal("x");
  });
});
