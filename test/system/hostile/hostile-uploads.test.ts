import { useHostileUploads } from "./use-hostile-uploads.ts";

describe("files that are made to do harm", function () {
  // Only so that a file which holds the service up for ever is seen: each takes some 20 ms to 3 s.
  this.timeout(120_000);
  useHostileUploads(false);
});
