import * as z from "zod";
import type { Hono } from "hono";

/** The body of every error of the protocol. */
export const errorSchema = z.strictObject({
  message: z.string().min(1),
  code: z.string().regex(/^[a-z_]+$/),
  type: z.enum(["invalid_request", "auth", "internal", "system"]),
  link: z.string().startsWith("https://"),
});

type Headers = { [name: string]: string };

/** Sends requests with a body; anything but text is sent as JSON. */
export function createSender(app: Hono) {
  async function send(path: string, body: unknown, headers: Headers = {}) {
    const response = await app.request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as unknown };
  }

  /** @throws if the answer is not an error of the protocol */
  async function errorOf(path: string, body: unknown, headers?: Headers) {
    const { status, json } = await send(path, body, headers);
    return { status, ...errorSchema.parse(json) };
  }

  return { send, errorOf };
}
