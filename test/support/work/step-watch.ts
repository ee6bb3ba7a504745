import { Transform } from "node:stream";

/** A request to a store as it passes a link: before the store gets it, or when it has answered. */
export type StepOnTheWay = {
  /** What the request has in its first bytes: the end of a path, a part of a statement, also of one that was prepared before. */
  readonly request: string;
  readonly held: "request" | "answer";
  /** What must have passed on the same connection before. */
  readonly after?: string;
};

type AwaitedStep = StepOnTheWay & { readonly found: (release: () => void) => void };

/** More than any text that is looked for, so that one which comes in two pieces is seen. */
const TAIL = 200;

/** Looks for one step at a time on all connections of a link, and holds up the connection on which it is found. */
export class StepWatch {
  #awaited: AwaitedStep | undefined;

  /** Gives a function that lets the step go on, once it is held. */
  next(step: StepOnTheWay): Promise<() => void> {
    return new Promise((found) => {
      this.#awaited = { ...step, found };
    });
  }

  /** What a new connection's bytes pass on their way there and back. */
  connection(): { readonly requests: Transform; readonly answers: Transform } {
    let watched: AwaitedStep | undefined;
    let passed = "";
    let wasBefore = false;
    let isAnswered = false;
    const prepared = new PreparedStatements();
    const requests = relay(async (bytes) => {
      const request = prepared.spelledOut(bytes.toString("latin1"));
      const awaited = this.#awaited;
      if (awaited === undefined) return;
      if (watched !== awaited) {
        watched = awaited;
        passed = "";
        wasBefore = awaited.after === undefined;
      }
      passed = passed.slice(-TAIL) + request;
      if (wasBefore && passed.includes(awaited.request)) {
        if (awaited.held === "request") await this.#hold();
        else isAnswered = true;
      }
      wasBefore ||= passed.includes(awaited.after ?? "");
    });
    const answers = relay(async () => {
      if (!isAnswered) return;
      isAnswered = false;
      await this.#hold();
    });
    return { requests, answers };
  }

  #hold(): Promise<void> {
    const awaited = this.#awaited;
    this.#awaited = undefined;
    return new Promise((release) => awaited?.found(release));
  }
}

/** The statements that PostgreSQL knows by their names on one connection. */
class PreparedStatements {
  readonly #texts = new Map<string, string>();

  /** What is sent, with the texts of the statements that it only names. */
  spelledOut(sent: string): string {
    const named = [...this.#texts].filter(([name]) => sent.includes(`\0${name}\0`)).map(([, text]) => text);
    for (const [, name = "", text = ""] of sent.matchAll(PARSE_MESSAGE)) this.#texts.set(name, text);
    return sent + named.join("");
  }
}

/** A name made by `prepared` and its statement, as they are sent at the first use. */
const PARSE_MESSAGE = /([\da-f]{40})\0([^\0]+)\0/g;

/** Passes bytes on when `look` says so, in their order. */
function relay(look: (bytes: Buffer) => Promise<void>): Transform {
  return new Transform({
    transform(bytes: Buffer, _, done) {
      look(bytes).then(
        () => done(null, bytes),
        (error: Error) => done(error),
      );
    },
  });
}
