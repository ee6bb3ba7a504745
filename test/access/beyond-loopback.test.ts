import { expect } from "chai";
import { rawExchange } from "../http/http-fixture.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshSettings } from "../support/stores.ts";

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 120_000;

describe("a service that listens beyond its own machine, as in a container", function () {
  this.timeout(TIMEOUT_MS);
  let service: ServiceProcess;
  let port: number;
  before(async function () {
    this.timeout(240_000);
    service = await ServiceProcess.start({
      HOST: "0.0.0.0",
      ALLOWED_HOSTS: "checks.example.org",
      ...(await freshSettings("container")),
      LOG_LEVEL: "warn",
    });
    port = Number(new URL(service.client.base).port);
  });
  after(() => service?.end("SIGKILL"));

  async function statusFor(host: string, path = "/v1/checks"): Promise<number> {
    const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    return Number((await rawExchange(port, request)).split(" ")[1]);
  }

  it("warns in its log that it has no authentication", () => {
    const warnings = service.output.filter((line) => line.includes("has no authentication"));
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include('"host":"0.0.0.0"');
  });

  it("answers neighbours, probes and scrapers by address, by one word or by a name that is allowed", async () => {
    for (const host of [
      `localhost:${port}`,
      "127.0.0.1",
      "172.17.0.3:8080",
      "service:8080",
      "checks.example.org",
    ]) {
      expect(await statusFor(host), host).to.equal(200);
      expect(await statusFor(host, "/metrics"), host).to.equal(200);
    }
    expect(await statusFor("probe.example", "/health")).to.equal(200);
  });

  it("does not answer under a stranger's name", async () => {
    for (const host of ["evil.example", "127.0.0.1.evil.example"]) {
      expect(await statusFor(host), host).to.equal(421);
      expect(await statusFor(host, "/metrics"), host).to.equal(421);
    }
  });
});
