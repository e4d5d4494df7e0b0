/**
 * Certificates of builders and of their port, made while a clock is wrong:
 *
 * 1. Whatever the clock says when a certificate is signed, it is valid an hour before and after that, and for its full lifetime.
 * 2. A port's certificate is signed again when the clock has been set, and is valid by the new clock. A failure is retried.
 */
import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { makeAuthority, openAuthority } from "./certificates.ts";
import { keepSigned } from "./keep-signed.ts";

const HOUR_MS = 3_600_000;
const YEARS_MS = 10 * 365 * 24 * HOUR_MS;
const RIGHT = Date.parse("2027-05-01T10:00:00Z");

const isValid = (pem: string, at: number) => {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return validFromDate.getTime() <= at && at < validToDate.getTime();
};

test("1. clocks that differ by an hour", async () => {
  const authority = await openAuthority(await makeAuthority(new Date(RIGHT)));
  const until = new Date(RIGHT + HOUR_MS);
  const all = [
    await authority.signServer(["localhost"], until),
    await authority.signClient("bld_a", "linux/amd64", until),
    await authority.signBuilder("org_1", "prj_1", until),
  ];
  for (const { certificate } of all)
    for (const at of [-HOUR_MS, 0, HOUR_MS, 2 * HOUR_MS]) expect(isValid(certificate, RIGHT + at)).toBe(true);
});

test("2. a port", async () => {
  for (const wrong of [-YEARS_MS, -HOUR_MS, HOUR_MS, YEARS_MS]) {
    const authority = await openAuthority(await makeAuthority(new Date(RIGHT + wrong)));
    const time = { now: RIGHT + wrong };
    const failures: string[] = [];
    let fails = false;
    const kept = await keepSigned({
      what: "a port",
      clock: () => time.now,
      log: { error: (line) => void failures.push(line) },
      async sign(now) {
        if (fails) throw new Error("it fails");
        return authority.signServer(["localhost"], new Date(now + HOUR_MS));
      },
    });
    let { certificate } = kept.first;
    kept.onRenewed((renewed) => (certificate = renewed.certificate));
    await kept.look();
    time.now = RIGHT;
    fails = true;
    await kept.look();
    expect(failures).toHaveLength(Math.abs(wrong) === YEARS_MS ? 1 : 0);
    fails = false;
    await kept.look();
    expect(isValid(certificate, RIGHT)).toBe(true);
    kept.stop();
  }
});
