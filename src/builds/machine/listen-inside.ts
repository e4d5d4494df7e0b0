/**
 * A listener of this process inside another network namespace: a child enters the namespace, listens there, hands the socket over
 * and ends. Connections from inside are answered here, without a process in between.
 */
import { spawn } from "node:child_process";
import { Server } from "node:net";

const HAND_OVER_MS = 20_000;

/** Runs in the child. It closes its copy of the socket, or it would take every second connection and never end. */
const CHILD = `
const server = require("node:net").createServer();
server.once("error", (error) => { process.send({ error: error.message }, () => process.exit(1)); });
server.listen(Number(process.argv[1]), "127.0.0.1", () =>
  process.send({}, server, () => { server.close(); process.disconnect(); }));
`;

/**
 * @param enter namespaces for `nsenter`
 * @returns a listener on 127.0.0.1 and the port inside; subscribe to its `connection` immediately
 */
export function listenInside(enter: readonly string[], port: number): Promise<Server> {
  // NODE_OPTIONS of this process would slow the start.
  const child = spawn("nsenter", [...enter, process.execPath, "--eval", CHILD, String(port)], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: {},
    timeout: HAND_OVER_MS,
  });
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`Nothing is listening on port ${port} of the builder's network: ${why}`));
    child.once("error", (error) => fail(error.message));
    // Comes after its messages; its exit may come before.
    child.once("disconnect", () => fail("the helper ended"));
    child.once("message", (message: { error?: string }, handed) =>
      handed instanceof Server ? resolve(handed) : fail(message.error ?? "received no socket"),
    );
  });
}
