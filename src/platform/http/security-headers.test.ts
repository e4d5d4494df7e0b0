/**
 * 1. Every answer has them, whichever part answers; HSTS is sent if and only if the origin is https.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { addSecurityHeaders } from "./security-headers.ts";

test("1. every answer", async () => {
  const answers = async (origin: string) => {
    const app = new Hono();
    app.use(addSecurityHeaders(origin));
    app.get("/", (context) => context.text("page"));
    app.get("/failing", () => {
      throw new Error("a mistake");
    });
    app.onError((_error, context) => context.text("failed", 500));
    return Promise.all(["/", "/failing", "/nothing"].map((path) => app.request(path)));
  };
  for (const { headers } of await answers("https://docs.example.com")) {
    expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
  }
  for (const origin of ["http://localhost:3000", "http://https.example.com"])
    for (const { headers } of await answers(origin))
      expect(headers.has("strict-transport-security")).toBe(false);
});
