/**
 * The environment of a program that a test starts. Node.js passes the collection of coverage on to every child; to collect it
 * there takes time at the end of each, and c8 would read a file of every process. Worker threads of the tests still count.
 */
export function childEnvironment(settings: Readonly<Record<string, string | undefined>> = {}) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE, ...settings, NODE_V8_COVERAGE: "" };
}
