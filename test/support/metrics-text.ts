export type Sample = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** What `/metrics` says, read back. */
export class MetricsText {
  readonly samples: readonly Sample[];
  /** Every name that a query may ask for, also of what has not happened yet; a histogram has three. */
  readonly names: ReadonlySet<string>;

  constructor(text: string) {
    this.samples = [...text.matchAll(SAMPLE)].map(([, name = "", labels = "", value]) => ({
      name,
      labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label = "", of = ""]) => [label, of])),
      value: Number(value),
    }));
    this.names = new Set([...text.matchAll(TYPE)].flatMap(([, name = "", type = ""]) => queried(name, type)));
  }

  /** The sum over all samples of a name that have these labels; undefined where there is none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, of]) => sample.labels[label] === of),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }

  /** The labels that the samples of a name have. */
  labelsOf(name: string): ReadonlySet<string> {
    return new Set(
      this.samples.filter((sample) => sample.name === name).flatMap(({ labels }) => Object.keys(labels)),
    );
  }
}

const SAMPLE = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gm;
const LABEL = /(\w+)="([^"]*)"/g;
const TYPE = /^# TYPE (\S+) (\S+)$/gm;

function queried(name: string, type: string): string[] {
  return type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}
