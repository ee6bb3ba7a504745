import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { WebhookReceiver } from "../../support/servers/webhook-receiver.ts";
import { freshSettings } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";

const CHECKS = 12;

describe("a kill while events are delivered", function () {
  this.timeout(600_000);

  it("loses no event: each arrives, with the identifier of its first attempt", async () => {
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    const receiver = await WebhookReceiver.start(secret);
    receiver.reply = () => undefined;
    const environment = {
      ...(await freshSettings()),
      SEMANTIC: "off",
      LOG_LEVEL: "debug",
      WEBHOOK_URLS: receiver.url,
      WEBHOOK_SECRET: secret,
    };
    let service = await ServiceProcess.start(environment);
    try {
      const ids: string[] = [];
      for (let at = 0; at < CHECKS; at += 1) ids.push(await service.client.submit(prose(950 + at, 300)));
      // Killed with some deliveries sent and not answered, and other checks not done yet.
      while (receiver.received.length < 2) await sleep(5);
      await service.end("SIGKILL");
      const first = new Map(receiver.received.map(({ data, id }) => [data.check_id, id]));
      receiver.recover();
      receiver.received.length = 0;
      const output = service.output;
      service = await ServiceProcess.start(environment);
      for (const id of ids) expect((await service.client.ended(id)).status).to.equal("complete");
      const told = () => new Set(receiver.received.map(({ data }) => data.check_id));
      while (ids.some((id) => !told().has(id))) await sleep(50);
      expect(first.size).to.equal(2);
      for (const { data, id } of receiver.received)
        if (first.has(data.check_id)) expect(id).to.equal(first.get(data.check_id));
      expect(receiver.faults).to.deep.equal([]);
      const printed = [...output, ...service.output].join("\n");
      expect(printed).not.to.include(secret.slice("whsec_".length));
      expect(printed).not.to.include(receiver.url);
    } finally {
      await service.end("SIGKILL");
      await receiver.stop();
    }
  });
});
