import { createEngineClient } from "../../../client/index.ts";

/** The engine that serves this page: every request of the pages goes through it, but for uploads that show how far they are. */
export const engine = createEngineClient();
