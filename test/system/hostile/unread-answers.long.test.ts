import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DocumentMetadata } from "../../../src/corpus/api/schema.ts";
import { prose } from "../../support/work/prose.ts";
import { startWatchedService, type WatchedService } from "./watched-service.ts";

/** At the moment of the attack, for all processes; 500 such requests took 4.4 GB before answers were limited. */
const MEMORY_MB_MAX = 1_000;

/** A check is made, and each attack lasts seconds on machines that may be busy. */
const TIMEOUT_MS = 300_000;

describe("answers that nobody reads", function () {
  this.timeout(TIMEOUT_MS);
  let service: WatchedService;
  let document: string;
  let report: string;

  before(async () => {
    service = await startWatchedService();
    const text = prose(1, 80_000);
    const checkId = await service.client.submit(text.slice(0, 500_000));
    await service.client.ended(checkId);
    report = `/v1/checks/${checkId}/report`;
    const content = text.repeat(Math.floor(9_900_000 / text.length));
    const uploaded = await service.client.upload("/v1/corpus/documents", { name: "large.txt", content });
    const { document_id, fingerprint_status } = DocumentMetadata.parse(await uploaded.json());
    document = `/v1/corpus/documents/${document_id}`;
    if (fingerprint_status === "pending") await service.client.fingerprinted(document_id);
  });
  after(() => service.stop());

  const attacks = [
    { title: "500 documents on one connection", connections: 1, requests: 500, path: () => document },
    { title: "500 reports on one connection", connections: 1, requests: 500, path: () => report },
    { title: "documents on 500 connections", connections: 500, requests: 1, path: () => document },
    { title: "reports on 500 connections", connections: 500, requests: 1, path: () => report },
    { title: "exports on 500 connections", connections: 500, requests: 1, path: () => `${report}.html` },
  ];

  for (const { title, connections, requests, path } of attacks) {
    it(`${title} take less than ${MEMORY_MB_MAX} MB, and others are served`, async () => {
      const request = `GET ${path()} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests);
      const { port } = new URL(service.client.base);
      const sockets = Array.from({ length: connections }, () => {
        const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
        socket.pause();
        socket.write(request);
        return socket;
      });
      const { memoryMb, unhealthy, result } = await service.watch(async () => {
        await sleep(10_000);
        return service.client.request("/v1/checks");
      });
      for (const socket of sockets) socket.destroy();
      expect(result.status).to.equal(200);
      expect(unhealthy).to.equal(0);
      expect(memoryMb).to.be.below(MEMORY_MB_MAX);
      const read = await service.client.request(path());
      expect([read.status, (await read.text()).length > 400_000], "a client that reads").to.deep.equal([
        200,
        true,
      ]);
    });
  }
});
