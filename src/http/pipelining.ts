import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

/**
 * Answers the requests of each connection one at a time: the next begins when the answer before it was read. Node.js hands
 * over all requests that have arrived, and the answers to a client that never reads would fill the memory. While requests
 * wait, nothing more is read from their connection.
 */
export function oneAtATime(answer: Answer): Answer {
  /** By connection, the request that is being answered and those after it. */
  const queues = new Map<Socket, Exchange[]>();
  let waiting = 0;

  function queueOf(socket: Socket): Exchange[] {
    const known = queues.get(socket);
    if (known !== undefined) return known;
    const queue: Exchange[] = [];
    queues.set(socket, queue);
    socket.once("close", () => queues.delete(socket));
    // Node.js reads on after each answer.
    socket.on("resume", () => {
      if (queue.length > 1) socket.pause();
    });
    return queue;
  }

  function begin({ request, response }: Exchange, queue: Exchange[]): void {
    const { socket } = request;
    response.once("close", () => {
      const done = queue.splice(0, hasEnded(socket) ? queue.length : 1);
      const [next] = queue;
      waiting -= next === undefined ? done.length - 1 : 1;
      if (queue.length <= 1) socket.resume();
      if (next !== undefined) begin(next, queue);
    });
    answer(request, response);
  }

  function endLongest(): void {
    const [socket, queue] = queues.entries().reduce((a, b) => (b[1].length > a[1].length ? b : a));
    waiting -= queue.splice(1).length;
    socket.destroy();
  }

  return (request, response) => {
    const { socket } = request;
    if (hasEnded(socket)) return;
    const queue = queueOf(socket);
    queue.push({ request, response });
    if (queue.length === 1) {
      begin({ request, response }, queue);
      return;
    }
    waiting += 1;
    socket.pause();
    if (waiting > WAITING_MAX) endLongest();
  };
}

/** Whether nothing more can be answered. The end of the last answer ends its connection a moment before destroying it. */
function hasEnded(socket: Socket): boolean {
  return socket.destroyed || socket.writableEnded;
}

/** Of a listener; above it, the connection with most of them ends. Each takes 2 KB; a connection sends 64 KiB of them at once. */
const WAITING_MAX = 10_000;
