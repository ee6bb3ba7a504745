import { randomBytes, randomUUID } from "node:crypto";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { signatureHeaders } from "../../../src/platform/webhooks/deliver-webhook.ts";

function newSecret(bytes = 32): string {
  return `whsec_${randomBytes(bytes).toString("base64")}`;
}

describe("the signature of an event", () => {
  const payload = '{"type":"check.completed","data":{"title":"Über — 試験"}}';

  it("is the one that the public implementation of Standard Webhooks makes", () => {
    for (const bytes of [24, 32, 64]) {
      const [secret, id, sentAt] = [newSecret(bytes), randomUUID(), new Date(1_790_000_000_999)];
      const headers = signatureHeaders([secret], { id, payload }, sentAt);
      expect(headers["webhook-signature"]).to.equal(new Webhook(secret).sign(id, sentAt, payload));
      expect(headers["webhook-timestamp"]).to.equal("1790000000");
    }
  });

  it("is verified by holders of any of the secrets, and by nobody else", () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signatureHeaders(secrets, { id: randomUUID(), payload }, new Date());
    for (const secret of secrets)
      expect(new Webhook(secret).verify(payload, headers)).to.deep.equal(JSON.parse(payload));
    expect(() => new Webhook(newSecret()).verify(payload, headers)).to.throw("No matching signature");
    expect(() => new Webhook(secrets[0] ?? "").verify(`${payload} `, headers)).to.throw(
      "No matching signature",
    );
    expect(() =>
      new Webhook(secrets[0] ?? "").verify(payload, { ...headers, "webhook-id": randomUUID() }),
    ).to.throw("No matching signature");
  });
});
