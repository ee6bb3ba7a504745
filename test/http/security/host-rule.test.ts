import { expect } from "chai";
import { hostName, hostRule, isLoopback } from "../../../src/http/security/host-rule.ts";

const PUBLIC_NAMES = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "xlocalhost.org"];

describe("the names under which the engine answers", () => {
  it("on the loopback interface are addresses and localhost", () => {
    for (const boundTo of ["127.0.0.1", "127.8.0.1", "::1", "localhost", "::ffff:127.0.0.1"]) {
      const isOurs = hostRule(boundTo, []);
      for (const name of ["127.0.0.1", "::1", "10.1.2.3", "localhost", "checks.localhost"]) {
        expect(isOurs(name), `${name} at ${boundTo}`).to.equal(true);
      }
      for (const name of [...PUBLIC_NAMES, "printer", "nas.local", "db.internal", ""]) {
        expect(isOurs(name), `${name} at ${boundTo}`).to.equal(false);
      }
    }
  });

  it("beyond it also include names that can't be registered on the internet", () => {
    for (const boundTo of ["0.0.0.0", "::", "192.168.1.5", "checks.lan"]) {
      const isOurs = hostRule(boundTo, []);
      const own = ["service", "similarity-check", "checks.default.svc.cluster.local", "checks.internal"];
      for (const name of [...own, "nas.home.arpa", "localhost", "172.17.0.2", "fe80::1"]) {
        expect(isOurs(name), `${name} at ${boundTo}`).to.equal(true);
      }
      for (const name of [...PUBLIC_NAMES, "local.example", "internal.org", ""]) {
        expect(isOurs(name), `${name} at ${boundTo}`).to.equal(false);
      }
    }
  });

  it("include allowed names in any case, and with a star all below a name or any name", () => {
    const isOurs = hostRule("127.0.0.1", ["Checks.example.org.", "*.example.net"]);
    for (const name of ["checks.example.org", "a.example.net", "a.b.example.net"]) {
      expect(isOurs(name), name).to.equal(true);
    }
    for (const name of ["example.org", "x.checks.example.org", "example.net", "evilexample.net"]) {
      expect(isOurs(name), name).to.equal(false);
    }
    expect(hostRule("127.0.0.1", ["*"])("evil.example")).to.equal(true);
  });

  it("are read from a Host header without its port", () => {
    const read = [
      ["Checks.Example.org", "checks.example.org"],
      ["checks.example.org.:8080", "checks.example.org"],
      ["127.0.0.1:8080", "127.0.0.1"],
      ["[::1]:8080", "::1"],
      ["[::1]", "::1"],
      ["localhost:", "localhost"],
    ] as const;
    for (const [header, name] of read) expect(hostName(header), header).to.equal(name);
    for (const header of ["", "a b", "::1", "a:b", "me@evil.example", "evil.example/", "[evil.example]"]) {
      expect(hostName(header), header).to.equal(undefined);
    }
  });

  it("on a loopback address are reachable only from the same machine", () => {
    for (const boundTo of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
      expect(isLoopback(boundTo), boundTo).to.equal(true);
    for (const boundTo of ["0.0.0.0", "::", "10.0.0.1", "checks.lan", "128.0.0.1"])
      expect(isLoopback(boundTo), boundTo).to.equal(false);
  });
});
