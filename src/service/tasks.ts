// All functions that run in threads: the file that each thread loads.
export * from "../matching/tasks.ts";
export * from "../report/tasks.ts";
