/**
 * 1. A request's own claims about its sender are not believed, not even over a connection from this machine or a private
 *    network.
 * 2. A proxy that the operator has named is believed: the client behind it is counted, and the client's address is removed
 *    from the body.
 * 3. The addresses of one IPv6 network count as one sender.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { startTelemetry } from "../testing/telemetry.ts";

const clock = () => 1_795_000_000_000;
const body = (note = "") =>
  JSON.stringify({ event: "x", distinct_id: "01a1fc2d-26f7-7798-aea1-fa75d352d7ea", properties: { note } });

function setUp(trusted?: string[]) {
  const telemetry = startTelemetry({
    clock,
    limits: { requestsPerAddress: 2 },
    ...(trusted && { addressOf: createAddressOf(trusted) }),
  });
  const send = async (from: string, forwarded?: string, note?: string) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    return (await telemetry.request("/ingest/e/", { method: "POST", body: body(note), from, headers }))
      .status;
  };
  return { ...telemetry, send };
}

test.each(["127.0.0.1", "::1", "10.1.2.3", "192.168.0.7", "203.0.113.9"])("1. from %s", async (from) => {
  const { send } = setUp();
  const statuses: number[] = [];
  for (let number = 0; number < 4; number++) statuses.push(await send(from, `198.51.100.${number}`));
  expect(statuses).toEqual([200, 200, 429, 429]);
});

test("2. a proxy of the operator's own", async () => {
  const { send, file, close } = setUp(["10.0.0.0/8"]);
  expect(await send("10.1.2.3", "8.8.8.8, 198.51.100.23", "seen from 198.51.100.23")).toBe(200);
  expect(await send("10.1.2.3", "198.51.100.23")).toBe(200);
  expect(await send("10.1.2.3", "9.9.9.9, 198.51.100.23")).toBe(429);
  expect(await send("10.1.2.3", "198.51.100.24")).toBe(200);
  expect(await send("203.0.113.9", "198.51.100.23")).toBe(200);
  await close();
  const kept = readFileSync(file);
  expect([kept.includes("seen from"), kept.includes("198.51.100.23")]).toEqual([true, false]);
});

test("3. one network", async () => {
  const { send } = setUp();
  const statuses: number[] = [];
  for (let number = 1; number < 5; number++) statuses.push(await send(`2001:db8:1:2::${number}`));
  expect([...statuses, await send("2001:db8:1:3::1")]).toEqual([200, 200, 429, 429, 200]);
});
