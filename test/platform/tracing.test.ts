import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { z } from "zod";
import { openTracing } from "../../src/platform/open-tracing.ts";
import { QUIET_TRACING } from "../../src/platform/tracing.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { OtlpReceiver, type ReceivedSpan } from "../support/servers/otlp-receiver.ts";
import { freshSettings } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";
const TEXT = prose(77, 600);

const LogLine = z.looseObject({
  msg: z.string(),
  traceId: z.string().optional(),
  route: z.string().optional(),
});

describe("a trace that a client begins", function () {
  this.timeout(240_000);
  let receiver: OtlpReceiver;
  let service: ServiceProcess;
  let spans: readonly ReceivedSpan[];
  let lines: readonly z.output<typeof LogLine>[];

  before(async () => {
    receiver = await OtlpReceiver.open();
    service = await ServiceProcess.start({
      ...(await freshSettings()),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    });
    const { client } = service;
    await client.addDocument("source.txt", TEXT, { title: "Quicksilver" });
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
    const submitted = await client.json("POST", "/v1/checks", { query_text: TEXT }, headers);
    const { check_id } = z.object({ check_id: z.string() }).parse(await submitted.json());
    expect((await client.ended(check_id)).status).to.equal("complete");
    // What is unsent goes out before the process ends.
    expect(await service.end("SIGTERM")).to.equal(0);
    spans = receiver.spans.filter(({ traceId }) => traceId === TRACE);
    lines = service.output
      .filter((line) => line.startsWith("{"))
      .map((line) => LogLine.parse(JSON.parse(line)));
  });
  after(async () => {
    await service?.end("SIGTERM");
    await receiver?.close();
  });

  const named = (name: string) => {
    const found = spans.find((span) => span.name === name);
    return found ?? expect.fail(`no span ${name} among ${spans.map((span) => span.name).join(", ")}`);
  };

  it("continues in the request, its job, the stages and the stores", () => {
    expect(named("POST /v1/checks").parentSpanId).to.equal(CALLER);
    for (const stage of ["chunking", "fingerprinting", "retrieving", "aligning", "assembling"]) {
      expect(named(`stage ${stage}`).parentSpanId, stage).to.equal(named("job run-check").spanId);
    }
    const known = new Set([CALLER, ...spans.map(({ spanId }) => spanId)]);
    for (const { name, parentSpanId = "" } of spans) expect(known.has(parentSpanId), name).to.equal(true);
    const search = named("opensearch msearch");
    expect(search.parentSpanId).to.equal(named("stage retrieving").spanId);
    expect(spans.map(({ name }) => name)).to.include.members(["postgresql insert", "postgresql select"]);
    expect([...receiver.serviceNames]).to.deep.equal(["similarity-check"]);
  });

  it("is in the log lines of the request and the worker, and in no others", () => {
    const ofTrace = lines.filter(({ traceId }) => traceId === TRACE);
    expect(ofTrace.map(({ msg }) => msg)).to.have.members(["request answered", "check complete"]);
    const others = lines.filter(({ msg, traceId }) => msg === "request answered" && traceId !== TRACE);
    expect(others.length).to.be.above(1);
    expect(new Set(others.map(({ traceId }) => traceId)).size, "a trace each").to.equal(others.length);
  });

  it("sends no text, title or file name to the collector", () => {
    const words = [...new Set(TEXT.split(/\W+/).filter((word) => word.length > 8))];
    expect(words.length).to.be.above(5);
    for (const body of receiver.bodies) {
      for (const text of ["source.txt", "Quicksilver", TEXT.slice(0, 30)]) expect(body).not.to.include(text);
      expect(words.filter((word) => body.includes(word))).to.deep.equal([]);
    }
  });
});

describe("a failure in a trace", () => {
  const span = { name: "stage retrieving", kind: "internal" } as const;

  it("marks the failed steps by the kind of error, without its message", async () => {
    const receiver = await OtlpReceiver.open();
    const tracing = await openTracing(receiver.url, pino({ level: "silent" }));
    const failure = await tracing
      .begin(span, undefined, () => Promise.reject(new RangeError("zanzibar")))
      .catch((error: unknown) => error);
    await tracing.close();
    expect(failure).to.be.instanceOf(RangeError);
    const { status, attributes } = await receiver.span(({ name }) => name === span.name);
    await receiver.close();
    expect(status.code).to.equal(2);
    expect(attributes.find(({ key }) => key === "error.type")?.value.stringValue).to.equal("RangeError");
    expect(receiver.bodies.join()).not.to.include("zanzibar");
  });

  it("of the collector loses only spans, and is logged once", async function () {
    this.timeout(120_000);
    const written: string[] = [];
    const log = pino({ level: "info" }, { write: (line) => void written.push(line) });
    const tracing = await openTracing("http://127.0.0.1:1", log);
    for (const turn of [1, 2]) {
      expect(await tracing.begin(span, undefined, () => Promise.resolve(turn))).to.equal(turn);
    }
    await tracing.close().catch(() => undefined);
    expect(written.filter((line) => line.includes("spans not sent"))).to.have.lengthOf(1);
  });
});

describe("without a collector", () => {
  it("sends nothing and does not load OpenTelemetry", async () => {
    expect(await openTracing(undefined, pino({ level: "silent" }))).to.equal(QUIET_TRACING);
    const sources = join(import.meta.dirname, "../../src");
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.ts$/.test(file),
    );
    const naming = (text: RegExp) =>
      files.filter((file) => text.test(readFileSync(join(sources, file), "utf8")));
    expect(naming(/from "@opentelemetry/)).to.deep.equal(["platform/otlp-tracing.ts"]);
    expect(naming(/from ".*otlp-tracing\.ts"/), "imported as it is needed only").to.deep.equal([]);
  });
});
