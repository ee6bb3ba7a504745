import { expect } from "chai";
import { readRequest } from "../../../src/client/command/read-request.ts";
import { UsageError } from "../../../src/platform/terminal/command.ts";

describe("the arguments of the check command", () => {
  it("name files, filters and a limit", () => {
    const request = readRequest(
      [
        ...["a.pdf", "-", "--exclude-quotes", "--min-words", "8", "--match-types", "identical,minor_changes"],
        ...["--fail-over", "12.5%", "--exclude-sources", "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf", "--json"],
      ],
      {},
    );
    expect(request).to.deep.include({ files: ["a.pdf", "-"], failOver: 12.5, json: true, all: false });
    expect(request.filters).to.deep.equal({
      exclude_quotes: true,
      exclude_bibliography: undefined,
      min_words: 8,
      exclude_sources: ["01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf"],
      match_types: ["identical", "minor_changes"],
    });
  });

  const wrong: readonly (readonly [readonly string[], string])[] = [
    [[], "Name at least one file"],
    [["-", "-"], "only once"],
    [["a", "b", "--title", "Both"], "--title works with a single file"],
    [["a", "--fail-over", "101"], "--fail-over must be a number from 0 to 100"],
    [["a", "--fail-over", ""], "--fail-over must be a number"],
    [["a", "--fail-over", "-1"], "--fail-over"],
    [["a", "--min-words", "few"], "--min-words must be a whole number"],
    [["a", "--match-types", "same"], "identical, minor_changes, paraphrased"],
    [["a", "--exclude-sources", "ferry"], '"ferry" is not one'],
    [["a", "--csv"], "--csv needs --together"],
    [["a", "b", "--together", "--min-words", "5"], "--min-words does not work with --together"],
    [["-", "--together"], "not standard input"],
    [["a", "--url", "check.example"], "--url must be a URL"],
    [["a", "--url", "http://a%:b@check.example"], "as %25"],
  ];
  for (const [args, message] of wrong) {
    it(`are refused as ${JSON.stringify(args)}, with the reason`, () => {
      expect(() => readRequest([...args], {})).to.throw(message);
    });
  }

  it("find the service where it is said to be, or where its own settings let it listen", () => {
    const at = (environment: Record<string, string>, ...args: string[]) =>
      readRequest(["a", ...args], environment).baseUrl;
    expect(at({})).to.equal("http://127.0.0.1:8080");
    expect(at({ HOST: "0.0.0.0", ENGINE_PORT: "9090" })).to.equal("http://127.0.0.1:9090");
    expect(at({ HOST: "::" })).to.equal("http://[::1]:8080");
    expect(at({ HOST: "fd00::7" })).to.equal("http://[fd00::7]:8080");
    expect(at({ ENGINE_URL: "https://check.example/sub/", ENGINE_PORT: "0" })).to.equal(
      "https://check.example/sub",
    );
    expect(at({ ENGINE_URL: "https://a.example" }, "--url", "http://b.example")).to.equal("http://b.example");
    expect(() => at({ ENGINE_PORT: "0" })).to.throw(UsageError, "--url");
    expect(() => at({ ENGINE_PORT: "port" })).to.throw(UsageError, "ENGINE_PORT");
  });

  it("send a user and a password of the URL as Basic authentication, and keep them out of what is shown", () => {
    const { baseUrl, headers } = readRequest(["a", "--url", "https://me:p%40ss@check.example"], {});
    expect(baseUrl).to.equal("https://check.example");
    expect(headers).to.deep.equal({ Authorization: `Basic ${btoa("me:p@ss")}` });
  });
});
