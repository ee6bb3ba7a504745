import { readdir } from "node:fs/promises";
import { expect } from "chai";
import { Submitted } from "../../../src/checks/api/schema.ts";
import { ProblemSchema } from "../../../src/http/routing/problem.ts";
import type { Answer, HostileUpload } from "./hostile-upload.ts";
import type { Watched, WatchedService } from "./watched-service.ts";

/**
 * The service of all roles takes 200 to 350 MB, each of two extraction processes 640 at most, and in the 25 ms between two
 * looks of their own watch they may grow by a little more (`memory-watch.ts`).
 */
const MEMORY_MB_MAX = 1_900;

/**
 * Submits a file that is made to do harm, and holds the service to its answer: one of those that are right, /health
 * answering all the while, memory bounded, no file left behind, and the next upload as usual.
 */
export async function expectAnswer(service: WatchedService, upload: HostileUpload): Promise<Watched> {
  const { client } = service;
  const { name, filename, answers } = upload;
  const content = upload.make();
  const { result, ...watched } = await service.watch(async () => {
    const response = await client.upload("/v1/checks/upload", { name: filename, content });
    return { status: response.status, body: await response.json() };
  });
  const given = await readAnswer(service, result.status, result.body);
  const text = answers.flatMap((answer) => ("text" in answer ? [answer.text] : []));
  expect(
    answers.some((answer) => isSame(answer, given)),
    `${name}: ${JSON.stringify(given)} ${text}`,
  ).to.equal(true);
  expect(watched.unhealthy, `${name}: /health`).to.equal(0);
  expect(watched.memoryMb, `${name}: memory`).to.be.below(MEMORY_MB_MAX);
  expect(await readdir(service.temporaryFolder), `${name}: files left behind`).to.deep.equal([]);
  await expectUsual(service);
  return watched;
}

/** An upload as people make them is taken and its check completes. */
export async function expectUsual({ client }: WatchedService): Promise<void> {
  const response = await client.upload("/v1/checks/upload", {
    name: "usual.txt",
    content: "An honest text.",
  });
  expect(response.status, "the next upload").to.equal(202);
  const { check_id } = Submitted.parse(await response.json());
  expect((await client.ended(check_id)).status, "the next check").to.equal("complete");
}

type Given =
  | { readonly status: 202; readonly text: string }
  | { readonly status: number; readonly code: string };

async function readAnswer({ client }: WatchedService, status: number, body: unknown): Promise<Given> {
  if (status !== 202) {
    const problem = ProblemSchema.parse(body);
    expect(problem.status).to.equal(status);
    return { status, code: problem.type.replace("/problems/", "") };
  }
  const { check_id } = Submitted.parse(body);
  const check = await client.ended(check_id);
  expect(check.status, "a check that was taken").to.equal("complete");
  return { status, text: (await client.report(check_id)).query_text };
}

function isSame(answer: Answer, given: Given): boolean {
  if (answer.status === 202) {
    return "text" in given && (answer.text === undefined || answer.text === given.text);
  }
  return "code" in given && given.status === answer.status && given.code === answer.code;
}
