import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the program, above `scripts`. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const modules = join(root, "node_modules");

/** The programs that the packages bring. */
export const bin = join(modules, ".bin");

/** Node.js as the package `node` brings it. */
export const node = join(bin, process.platform === "win32" ? "node.cmd" : "node");

/** Where Node.js keeps compiled code without the types of TypeScript: a program starts in half to three quarters of the time. */
export const compileCache = join(modules, ".cache", "compiled");
