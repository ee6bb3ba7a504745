import { expect } from "chai";
import { clientAddress, readAddress, trustedProxies } from "../../../src/http/security/client-address.ts";
import { readProxyRange } from "../../../src/platform/config.ts";

function trusting(...ranges: string[]) {
  return trustedProxies(
    ranges.flatMap((range) => readProxyRange(range) ?? expect.fail(`${range} is no range`)),
  );
}

describe("decisions, Statistics: clientAddress, whose request it is", () => {
  it("is the socket's address when no proxy is trusted, whatever the header says", () => {
    expect(clientAddress("192.0.2.1", "203.0.113.9", trusting())).to.equal("192.0.2.1");
  });

  it("is the socket's address when that is not the trusted proxy", () => {
    expect(clientAddress("192.0.2.2", "203.0.113.9", trusting("192.0.2.1"))).to.equal("192.0.2.2");
  });

  it("is the right-most untrusted entry behind a trusted proxy; entries further left prove nothing", () => {
    const isTrusted = trusting("10.0.0.0/8", "2001:db8::/32");
    const forwarded = "198.51.100.1, 203.0.113.9, 10.1.1.1, 2001:db8::5";
    expect(clientAddress("10.9.9.9", forwarded, isTrusted)).to.equal("203.0.113.9");
  });

  it("is the left-most entry when all of them are trusted", () => {
    expect(clientAddress("10.0.0.1", "10.0.0.3,10.0.0.2", trusting("10.0.0.0/8"))).to.equal("10.0.0.3");
  });

  it("is the last known address when the header is missing or has no address", () => {
    const isTrusted = trusting("10.0.0.0/8");
    expect(clientAddress("10.0.0.1", "", isTrusted)).to.equal("10.0.0.1");
    expect(clientAddress("10.0.0.1", "203.0.113.9, unknown", isTrusted)).to.equal("10.0.0.1");
    expect(clientAddress("10.0.0.1", "_hidden, 10.0.0.2", isTrusted)).to.equal("10.0.0.2");
  });

  it("recognises a proxy that uses IPv4 over an IPv6 socket", () => {
    expect(clientAddress("::ffff:10.0.0.1", "203.0.113.9", trusting("10.0.0.0/8"))).to.equal("203.0.113.9");
  });

  it("has a value for a socket without an address", () => {
    expect(clientAddress(undefined, "203.0.113.9", trusting("0.0.0.0/0"))).to.equal("unknown");
  });
});

describe("readAddress", () => {
  const examples: [text: string, address: string | undefined][] = [
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["192.0.2.1:443", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["", undefined],
    ["unknown", undefined],
    ["192.0.2.256", undefined],
    ["192.0.2.1:http", undefined],
    ["1.2.3", undefined],
  ];
  for (const [text, address] of examples)
    it(`reads ${JSON.stringify(text)} as ${address ?? "none"}`, () => {
      expect(readAddress(text)).to.equal(address);
    });
});
