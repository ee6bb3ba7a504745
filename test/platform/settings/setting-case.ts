import type { Config } from "../../../src/platform/config.ts";

export type SettingCase = {
  readonly member: keyof Config;
  readonly fallback: unknown;
  /** Other settings without which a value is not taken. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Values that are taken, with what becomes of them. */
  readonly taken: readonly (readonly [value: string, read: unknown])[];
  /** Values that stop the start, and a part of what the message says beside the name. */
  readonly refused: readonly (readonly [value: string, says: RegExp])[];
};

/** By the names of the settings. */
export type SettingCases = Readonly<Record<string, SettingCase>>;

/** A setting without a default. No value of it is refused by itself. */
export function anyText(member: keyof Config, example: string): SettingCase {
  return { member, fallback: undefined, taken: [[example, example]], refused: [] };
}

/** A setting that is on or off. */
export function onOrOff(member: keyof Config, fallback: boolean, others: readonly string[]): SettingCase {
  return {
    member,
    fallback,
    taken: [
      ["on", true],
      ["off", false],
    ],
    refused: others.map((value) => [value, /on or off/]),
  };
}
