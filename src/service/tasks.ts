// All functions that run in threads: the file that each thread loads.
export * from "../matching/preparation-tasks.ts";
export * from "../matching/tasks.ts";
export * from "../report/tasks.ts";
