import { relative } from "node:path";
import process from "node:process";
import Mocha from "mocha";

const TESTS_LISTED = 20;
const FILES_LISTED = 20;

/** A run of a few files needs no list of the slowest. */
const TESTS_MIN = 200;

type Timed = { readonly title: string; readonly file: string; readonly ms: number };

/** Mocha's "spec", followed by the slowest tests and files of a long run and by one line of totals. */
class ReporterWithTimes extends Mocha.reporters.Spec {
  readonly #tests: Timed[] = [];
  readonly #hooks: Timed[] = [];

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { EVENT_TEST_END, EVENT_HOOK_END, EVENT_RUN_END } = Mocha.Runner.constants;
    runner.on(EVENT_TEST_END, (test) => this.#tests.push(timed(test)));
    runner.on(EVENT_HOOK_END, (hook) => this.#hooks.push(timed(hook)));
    runner.once(EVENT_RUN_END, () => this.#printTimes());
  }

  #printTimes(): void {
    if (this.#tests.length >= TESTS_MIN) {
      print(`The ${TESTS_LISTED} slowest tests:`, this.#tests, TESTS_LISTED);
      const files = Map.groupBy([...this.#tests, ...this.#hooks], ({ file }) => file);
      const totals = [...files].map(([file, parts]) => ({
        title: `${parts.length} tests and hooks`,
        file,
        ms: parts.reduce((sum, { ms }) => sum + ms, 0),
      }));
      print(`The ${FILES_LISTED} slowest files, with their hooks:`, totals, FILES_LISTED);
    }
    const { passes, failures, pending } = this.stats;
    process.stdout.write(`${passes} passed, ${failures} failed, ${pending} skipped\n`);
  }
}

function timed(runnable: Mocha.Runnable): Timed {
  const file = runnable.file ?? runnable.parent?.file ?? "";
  return { title: runnable.fullTitle(), file: relative(process.cwd(), file), ms: runnable.duration ?? 0 };
}

function print(heading: string, all: readonly Timed[], count: number): void {
  const slowest = all.toSorted((a, b) => b.ms - a.ms).slice(0, count);
  const lines = slowest.map(
    ({ title, file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}  ${title}`,
  );
  process.stdout.write(`${heading}\n${lines.join("\n")}\n\n`);
}

// biome-ignore lint/style/noDefaultExport: Mocha loads a reporter by its default export.
export default ReporterWithTimes;
