/** Writes a progress message for the user. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Ends the launch with a message that the user can act on. */
export function fail(message) {
  say(message);
  process.exit(1);
}
