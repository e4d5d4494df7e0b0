/** Requests of the organization that asks for little, in sequence, and how long it waits. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { json, type Sent } from "../requests.ts";
import { hexOf, type Resident } from "./town.ts";

/** Milliseconds of each answer by kind, and answers with a status other than 200. */
export interface Visit {
  times: Record<string, number[]>;
  refused: string[];
}

/** @param pauseMs between two requests */
export function createVisitor({ port, organization, tokens, repository, small, layer }: Resident) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const authorization = `Bearer ${tokens[0]}`;
  const kinds: Record<string, Sent[]> = {
    "a page": [{ path: "/docs/cache/overview", headers: { accept: "text/html" } }],
    "an API call": [json("/api/millrace.v1.ProjectService/List", {})],
    "a cache hit": [{ path: `/cache/bazel/cas/${hexOf(small)}` }],
    "a pull": [{ path: `${repository}/manifests/stable` }, { path: `${repository}/blobs/${layer}` }],
  };

  function ask({ method = "GET", path, headers, body }: Sent): Promise<number> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const all = { authorization, ...length, ...headers };
      const sent = request({ host: "127.0.0.1", port, method, path, headers: all, agent }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.once("error", reject);
      sent.end(body);
    });
  }

  return {
    kinds: Object.keys(kinds),
    /** Asks until `isOver`. */
    async visit(isOver: (rounds: number) => boolean, pauseMs: number): Promise<Visit> {
      const visit: Visit = { times: {}, refused: [] };
      for (let round = 0; !isOver(round); round++)
        for (const [kind, requests] of Object.entries(kinds)) {
          await sleep(pauseMs);
          const began = performance.now();
          for (const sent of requests) {
            const status = await ask(sent);
            if (status !== 200) visit.refused.push(`${organization}: ${kind} ${status}`);
          }
          (visit.times[kind] ??= []).push(performance.now() - began);
        }
      return visit;
    },
    close: () => agent.destroy(),
  };
}
