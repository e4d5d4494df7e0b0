/** A browser's cookies and same-origin requests, for tests without a network. */
import type { Hono } from "hono";

export interface TestBrowser {
  get: (path: string, headers?: Record<string, string>) => Promise<TestAnswer>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<TestAnswer>;
  cookies: Map<string, string>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  /** The JSON, or an empty object. */
  body: Record<string, unknown>;
}

const CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";

export function openTestBrowser(app: Hono, origin: string): TestBrowser {
  const cookies = new Map<string, string>();
  async function send(path: string, init: RequestInit & { headers: Record<string, string> }) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await app.request(new URL(path, origin).href, {
      ...init,
      headers: { "user-agent": CHROME, ...(cookie && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    // These addresses answer with a JSON object.
    const body = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body };
  }
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers: { "sec-fetch-site": "same-origin", ...headers } }),
    post: (path, body, headers = {}) =>
      send(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
      }),
  };
}
