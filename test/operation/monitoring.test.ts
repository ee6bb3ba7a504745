import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { expect } from "chai";
import { parse } from "yaml";
import { z } from "zod";
import { MetricsText } from "../support/metrics-text.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const FOLDER = join(import.meta.dirname, "../../tools/monitoring");

const Rules = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning", "info"]) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string().optional() }),
        }),
      ),
    }),
  ),
});

const Dashboard = z.looseObject({
  panels: z.array(
    z.looseObject({
      id: z.int(),
      title: z.string(),
      targets: z.array(z.looseObject({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
});

type Query = { readonly where: string; readonly expression: string };

/** Of Prometheus itself: whether it could scrape a target, and the labels that it adds to what the target says. */
const PROMETHEUS_OWN = "up";
const TARGET_LABELS = ["job", "instance", "le"];

describe("the examples for Prometheus and Grafana", function () {
  this.timeout(240_000);
  const engine = useEngine();
  let metrics: MetricsText;
  let alerts: readonly Query[];
  let panels: readonly Query[];

  before(async () => {
    const text = prose(32, 400);
    await engine.client.addDocument("source.txt", text);
    await engine.client.checked(text);
    await engine.client.request("/nowhere");
    metrics = new MetricsText(await (await engine.client.request("/metrics")).text());

    const { groups } = Rules.parse(parse(await readFile(join(FOLDER, "alerts.yml"), "utf8")));
    alerts = groups.flatMap(({ rules }) =>
      rules.map(({ alert, expr }) => ({ where: alert, expression: expr })),
    );
    const dashboard = await readFile(join(FOLDER, "grafana-dashboard.json"), "utf8");
    panels = Dashboard.parse(JSON.parse(dashboard)).panels.flatMap(({ title, targets }) =>
      // Grafana puts a duration in its place.
      targets.map(({ expr }) => ({ where: title, expression: expr.replaceAll("$__rate_interval", "5m") })),
    );
  });

  it("are in PromQL", () => {
    expect(alerts.length).to.be.above(10);
    expect(panels.length).to.be.above(10);
    for (const { where, expression } of [...alerts, ...panels]) {
      expect(nodesOf(expression, "⚠"), `${where}: ${expression}`).to.deep.equal([]);
    }
  });

  it("ask for metrics that the service has", () => {
    for (const { where, expression } of [...alerts, ...panels]) {
      const asked = nodesOf(expression, "VectorSelector").map(metricOf);
      expect(asked, where).not.to.be.empty;
      for (const name of asked) {
        if (name !== PROMETHEUS_OWN) expect([...metrics.names], where).to.include(name);
      }
    }
  });

  it("tell them apart by labels that they have", () => {
    let compared = 0;
    for (const { where, expression } of [...alerts, ...panels]) {
      const names = nodesOf(expression, "VectorSelector").map(metricOf);
      const known = names.map((name) => metrics.labelsOf(name));
      // What has not happened yet has no sample that would show its labels.
      if (known.some((labels) => labels.size === 0)) continue;
      compared += 1;
      const labels = new Set([...TARGET_LABELS, ...known.flatMap((of) => [...of])]);
      for (const label of nodesOf(expression, "LabelName")) expect([...labels], where).to.include(label);
    }
    expect(compared).to.be.above(20);
  });

  it("leave none of the service's own metrics unwatched", () => {
    const asked = new Set(
      [...alerts, ...panels].flatMap(({ expression }) => nodesOf(expression, "VectorSelector").map(metricOf)),
    );
    const own = [...metrics.names].filter(
      (name) => name.startsWith("similarity_") || name.startsWith("http_"),
    );
    const families = new Set(own.map(familyOf));
    expect([...families].filter((family) => ![...asked].map(familyOf).includes(family))).to.deep.equal([]);
  });

  it("name each alert once", () => {
    expect(new Set(alerts.map(({ where }) => where)).size).to.equal(alerts.length);
  });
});

/** The texts of all nodes of a kind; "⚠" is where the parser found no PromQL. */
function nodesOf(expression: string, kind: string): string[] {
  const found: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, from, to }) => {
      if (name === kind) found.push(expression.slice(from, to));
    },
  });
  return found;
}

function metricOf(selector: string): string {
  return /^[\w:]+/.exec(selector)?.[0] ?? "";
}

function familyOf(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, "");
}
