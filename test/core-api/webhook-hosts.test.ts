import { expect } from "chai";
import { webhookHosts } from "../../src/core-api/webhooks/webhook-hosts.ts";

const isListed = (listed: readonly string[], url: string) => webhookHosts(listed).isListed(new URL(url));

async function refusalOf(listed: readonly string[], url: string, addresses: readonly string[]) {
  const hosts = webhookHosts(listed, async () => [...addresses]);
  return hosts.resolve(new URL(url)).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

describe("the hosts of webhooks", () => {
  it("are those of the operator's list and no others", () => {
    const list = ["moodle.example.org", "*.uni.example", "192.0.2.7", "10.0.0.0/8", "::1"];
    for (const url of [
      "https://moodle.example.org/x",
      "https://MOODLE.example.org:8443/x",
      "http://a.b.uni.example/",
      "http://192.0.2.7/",
      "http://10.1.2.3/",
      "http://[::1]:81/",
    ])
      expect(isListed(list, url), url).to.equal(true);
    for (const url of [
      "https://moodle.example.org.evil.example/",
      "https://evilmoodle.example.org/",
      "https://uni.example/",
      "http://192.0.2.8/",
      "http://127.0.0.1/",
      "http://localhost/",
      "http://2130706433/",
    ])
      expect(isListed(list, url), url).to.equal(false);
    expect(isListed([], "https://moodle.example.org/")).to.equal(false);
  });

  it("may not have private addresses that are not listed, even among others", async () => {
    const name = "https://moodle.example.org/";
    for (const address of [
      ...["127.0.0.1", "10.0.0.1", "172.31.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"],
      ...["::1", "::", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1"],
      ...["2002:7f00:1::", "224.0.0.1", "255.255.255.255"],
    ])
      expect(await refusalOf(["moodle.example.org"], name, ["198.41.0.4", address]), address).to.match(
        /private address/,
      );
    expect(await refusalOf(["moodle.example.org"], name, ["198.41.0.4", "2a00:1450::1"])).to.equal(undefined);
    expect(await refusalOf(["moodle.example.org", "10.0.0.0/8"], name, ["10.0.0.1"])).to.equal(undefined);
    expect(await refusalOf(["moodle.example.org"], name, [])).to.match(/no address/);
  });
});
