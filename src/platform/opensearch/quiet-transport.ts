import { Transport } from "@opensearch-project/opensearch";
import { hideMembers } from "../hide-members.ts";

type TransportOptions = ConstructorParameters<typeof Transport>[0];

/**
 * The client's errors carry what was asked and by which connection: in `meta` the body of the request, which holds search
 * terms and forms of texts, and the connection with its Authorization header; in `data` what could not be serialised or
 * read. Our code may look at that.
 */
const CONFIDENTIAL = ["meta", "data"] as const;

/**
 * The client's transport, whose errors show nothing of a request when they are printed, serialised or copied: the
 * members that hold it are there but not enumerable.
 */
export class QuietTransport extends Transport {
  constructor(options: TransportOptions) {
    // Every error that holds something goes out as an event before it is thrown.
    const emit: TransportOptions["emit"] = (event, ...args) => {
      for (const arg of args) hideMembers(arg, CONFIDENTIAL);
      return options.emit(event, ...args);
    };
    super({ ...options, emit });
  }
}
