/**
 * A setting that the program can't run with. The message names it and the expected value. It is apart from `config.ts` because
 * the terminal command of the client package prints it and needs none of the settings.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
