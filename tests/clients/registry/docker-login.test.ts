/**
 * The command line of Docker, without its engine:
 *
 * 1. `docker login` with x-token takes a token of Millrace, behind a proxy with a certificate, as the pages ask for; a
 *    wrong token is refused in the registry's own words.
 * 2. Without a certificate, it prints the message on the pages. (With its engine, `localhost` needs none.)
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { startTlsFront, type TlsFront } from "./tls-front.ts";
import { findDocker } from "./tools.ts";

const docker = await findDocker();

describe.skipIf(!docker)("docker login", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();
  let front: TlsFront | undefined;
  const host = () => front?.host ?? "";
  beforeAll(async () => void (front = await startTlsFront(stage().registry.url, stage().folder)));
  afterAll(() => front?.close());
  const logIn = async (token: string, to = host()) => {
    const config = stage().makeConfig();
    const command = [docker ?? "", "login", to, "-u", "x-token", "--password-stdin"];
    const env = { DOCKER_CONFIG: config, SSL_CERT_FILE: front?.certificate ?? "" };
    return { config, ...(await stage().run(command, { env, input: token })) };
  };

  test("1. with a token", async () => {
    const { code, output, config } = await logIn(stage().tokens.organization);
    expect(code, output).toBe(0);
    expect(output).toContain("Login Succeeded");
    expect(readFileSync(join(config, "config.json"), "utf8")).toContain(host());
  });

  test("1. with a wrong one", async () => {
    const { code, output } = await logIn(stage().tokens.wrong);
    expect(code).toBe(1);
    expect(output).toContain("unauthorized: token is mistyped or cut off");
  });

  test("2. without a certificate", async () => {
    const { code, output } = await logIn(stage().tokens.organization, stage().host);
    expect(code).toBe(1);
    expect(output).toContain("server gave HTTP response to HTTPS client");
  });
});
