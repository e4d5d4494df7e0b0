import { expect, test } from "vitest";
import { isPublicOrigin } from "./public-origin.ts";

test.each([
  "https://millrace.example.com/docs",
  "https://docs.acme.dev",
  "https://docs.local.acme.com",
  "http://8.8.8.8:3000",
  "http://172.15.0.1",
  "http://172.32.0.1",
  "http://100.128.0.1",
  "http://11.0.0.1",
  "http://[2606:4700::1111]",
  "https://10.acme.com",
  "https://localhost.acme.com",
  "https://test.com",
])("%s can be fetched from elsewhere", (url) => expect(isPublicOrigin(url)).toBe(true));

test.each([
  "http://localhost:3000/docs/faq",
  "http://LOCALHOST.:3000",
  "http://docs.localhost",
  "http://millrace",
  "https://millrace.local",
  "https://ci.corp.internal",
  "https://millrace.test.",
  "http://nas.home.arpa",
  "http://127.0.0.1",
  "http://127.1",
  "http://2130706433",
  "http://0x7f.1",
  "http://0.0.0.0",
  "http://10.1.2.3:8080",
  "http://172.16.0.9",
  "http://172.31.255.1",
  "http://192.168.1.20",
  "http://169.254.169.254",
  "http://100.64.0.1",
  "http://100.127.0.1",
  "http://[::1]:3000",
  "http://[::ffff:8.8.8.8]",
  "http://[fd12::1]",
  "http://[fe80::1]",
])("%s cannot", (url) => expect(isPublicOrigin(url)).toBe(false));
