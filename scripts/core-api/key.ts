import process from "node:process";
import { parseArgs } from "node:util";
import { addKey, KEY_NAME, removeKey } from "../../src/core-api/keys.ts";
import { readConfig } from "../../src/platform/config.ts";
import { explainError, readCommand, UsageError } from "../../src/platform/terminal/command.ts";

const USAGE = `Usage: npm run core-api:key -- NAME [--file FILE] [--remove]

Makes a key for a plug-in that speaks the Turnitin Core API, and prints it once: the file keeps only its hash. A key of the
same name is replaced. Give each Moodle or OJS its own: nothing of one key is visible to another. The service notices a
change within five seconds.

  --file FILE          the file of the keys; CORE_API_KEYS_FILE without it
  --remove             remove the key of this name`;

type Request = { readonly name: string; readonly file: string; readonly remove: boolean };

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  try {
    await run(request);
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}

function readRequest(args: string[]): Request {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { file: { type: "string" }, remove: { type: "boolean", default: false } },
  });
  const [name = "", ...more] = positionals;
  if (!KEY_NAME.test(name) || more.length > 0)
    throw new UsageError("Give one name: letters, digits, dots, dashes and underscores.");
  // Only the path: the other settings of the listener may still be missing.
  const file =
    values.file ?? readConfig({ CORE_API_KEYS_FILE: process.env.CORE_API_KEYS_FILE }).coreApiKeysFile;
  if (file === undefined) throw new UsageError("Set CORE_API_KEYS_FILE, or name the file with --file.");
  return { name, file, remove: values.remove };
}

async function run({ name, file, remove }: Request): Promise<void> {
  if (!remove) {
    process.stdout.write(`${await addKey(file, name)}\n`);
    return;
  }
  const isRemoved = await removeKey(file, name);
  process.stderr.write(isRemoved ? `The key ${name} is removed.\n` : `There is no key ${name}.\n`);
  if (!isRemoved) process.exitCode = 1;
}
