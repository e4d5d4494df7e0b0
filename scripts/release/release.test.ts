/**
 * The parts of a release, each on its own; `tests/deploy/release.test.ts` makes a whole release.
 * 1. A key is made once, is readable only by its owner, and makes signatures that openssl verifies; any other file is refused
 *    with a message.
 * 2. The signed statement is the given one, in the envelope that tools verify; one changed byte is noticed.
 * 3. A folder gives the same archive whatever order, times and modes its files have on disk.
 * 4. An image's digest is that of its archive; an archive that does not have exactly one image, or is damaged, is refused.
 * 5. A release with an image includes its digest in the signed statement; its checksums and signature verify.
 */
import { spawnSync } from "node:child_process";
import { createHash, createPublicKey, verify } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "#server/pages/build-folders.ts";
import { LOCK_FILES } from "./lock-files.ts";
import { sealRelease } from "./make-release.ts";
import { packFolder } from "./pack-folder.ts";
import { describeProvenance } from "./provenance.ts";
import { readImageDigest } from "./read-image-digest.ts";
import { makeKey, readKey, signBytes, signStatement } from "./sign.ts";
import { makeImageArchive } from "./test-image.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "release-"));
const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const commit = { id: "0123456789abcdef0123456789abcdef01234567", time: 1_795_768_776 };

async function newKey() {
  const file = join(newFolder(), "release.key");
  const { publicFile } = await makeKey(file);
  return { file, publicFile, key: await readKey(file) };
}

test("1. keys", async () => {
  const { file, publicFile, key } = await newKey();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const former = readFileSync(file, "utf8");
  await expect(makeKey(file)).rejects.toThrow(`${file} already exists`);
  expect(readFileSync(file, "utf8")).toBe(former);

  const folder = newFolder();
  const [text, signature] = [join(folder, "SHA256SUMS"), join(folder, "SHA256SUMS.sig")];
  writeFileSync(text, "abc  file\n");
  writeFileSync(signature, signBytes(readFileSync(text), key));
  const openssl = () =>
    spawnSync(
      "openssl",
      `pkeyutl -verify -pubin -inkey ${publicFile} -rawin -in ${text} -sigfile ${signature}`.split(" "),
    );
  expect(openssl().status).toBe(0);
  writeFileSync(text, "abd  file\n");
  expect(openssl().status).not.toBe(0);

  await expect(readKey(join(folder, "none"))).rejects.toThrow("npm run release -- --new-key");
  for (const other of [publicFile, text])
    await expect(readKey(other)).rejects.toThrow("is not a private Ed25519 key");
});

test("2. statement", async () => {
  const { publicFile, key } = await newKey();
  const subjects = [{ name: "millrace.tar.gz", sha256: "ab".repeat(32) }];
  const statement = await describeProvenance({ commit, subjects });
  const { payloadType, payload, signatures } = JSON.parse(signStatement(statement, key)) as Envelope;
  expect(JSON.parse(Buffer.from(payload, "base64").toString())).toEqual(statement);
  expect(statement).toMatchObject({
    subject: [{ name: "millrace.tar.gz", digest: { sha256: "ab".repeat(32) } }],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [
          { digest: { gitCommit: commit.id } },
          ...LOCK_FILES.map(({ file }) => ({ name: file, digest: { sha256: sha256(join(root, file)) } })),
        ],
      },
    },
  });
  const publicKey = createPublicKey(readFileSync(publicFile));
  const signed = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes]);
  const bytes = Buffer.from(payload, "base64");
  const signature = Buffer.from(signatures[0]!.sig, "base64");
  expect(verify(null, signed(bytes), publicKey, signature)).toBe(true);
  bytes[10]! ^= 1;
  expect(verify(null, signed(bytes), publicKey, signature)).toBe(false);
});

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

test("3. archive", async () => {
  const names = ["a", "B", "c é", "deep/er/file"];
  const pack = async (order: string[], mode: number, time: number) => {
    const place = newFolder();
    const folder = join(place, "millrace-1");
    mkdirSync(join(folder, "deep/er"), { recursive: true, mode: mode | 0o700 });
    for (const name of order) {
      writeFileSync(join(folder, name), name);
      chmodSync(join(folder, name), name === "B" ? mode | 0o100 : mode);
      utimesSync(join(folder, name), time, time);
    }
    symlinkSync("a", join(folder, "link"));
    await packFolder(folder, { file: join(place, "out.tar.gz"), time: commit.time });
    return join(place, "out.tar.gz");
  };
  const one = await pack(names, 0o644, 1);
  const other = await pack(names.toReversed(), 0o600, 2_000_000_000);
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  const listed = spawnSync(
    "tar",
    ["--list", "--verbose", "--numeric-owner", "--full-time", `--file=${one}`],
    {
      encoding: "utf8",
      env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
    },
  ).stdout;
  expect(listed).toMatch(/^-rwxr-xr-x 0\/0 +1 2026-11-27 \S+ millrace-1\/B$/m);
  expect(listed).toMatch(/^-rw-r--r-- 0\/0 +1 2026-11-27 \S+ millrace-1\/a$/m);
  expect(listed).toContain("millrace-1/link -> a");
  await expect(
    packFolder(join(newFolder(), "none"), { file: join(newFolder(), "x"), time: 0 }),
  ).rejects.toThrow("GNU tar could not pack");
});

test("4. images", async () => {
  const packed = (index: unknown) => {
    const folder = newFolder();
    writeFileSync(join(folder, "index.json"), typeof index === "string" ? index : JSON.stringify(index));
    const file = join(folder, "image.tar");
    spawnSync("tar", ["--create", `--file=${file}`, "index.json"], { cwd: folder });
    return { name: "millrace", file };
  };
  const digest = (character: string) => ({ digest: `sha256:${character.repeat(64)}` });
  const image = makeImageArchive(newFolder());
  expect(await readImageDigest({ name: "millrace", file: image.file })).toEqual({
    name: "millrace",
    sha256: image.sha256,
  });
  const damaged = makeImageArchive(newFolder(), { isDamaged: true });
  await expect(readImageDigest({ name: "millrace", file: damaged.file })).rejects.toThrow("is damaged");
  await expect(readImageDigest(packed({ manifests: [digest("a")] }))).rejects.toThrow("failed");
  for (const index of [
    {},
    { manifests: [] },
    { manifests: [digest("a"), digest("b")] },
    "{",
    { manifests: [{ digest: "x" }] },
  ])
    await expect(readImageDigest(packed(index))).rejects.toThrow(/image\.tar names \d images/);
  await expect(readImageDigest({ name: "millrace", file: join(root, "package.json") })).rejects.toThrow(
    "failed",
  );
});

test("5. a release with an image", async () => {
  const { key, publicFile } = await newKey();
  const into = newFolder();
  writeFileSync(join(into, "millrace.tar.gz"), "program");
  const image = makeImageArchive(newFolder());
  const subject = await readImageDigest({ name: "millrace-image", file: image.file });
  await sealRelease({ into, key, commit, subjects: [subject] });

  const check = (program: string, args: string) =>
    spawnSync(program, args.split(" "), { cwd: into, encoding: "utf8" });
  const verify = `pkeyutl -verify -pubin -inkey ${publicFile} -rawin -in`;
  expect(check("openssl", `${verify} SHA256SUMS -sigfile SHA256SUMS.sig`).status).toBe(0);
  expect(check("sha256sum", "--check --strict SHA256SUMS").stdout).toMatch(
    /^millrace-\S+\.intoto\.json: OK\nmillrace\.tar\.gz: OK\n$/,
  );
  const provenance = readdirSync(into).find((file) => file.endsWith(".intoto.json"))!;
  const { payload } = readSigned(join(into, provenance), publicFile);
  expect((JSON.parse(payload) as { subject: unknown }).subject).toEqual([
    { name: "millrace.tar.gz", digest: { sha256: sha256(join(into, "millrace.tar.gz")) } },
    { name: "millrace-image", digest: { sha256: image.sha256 } },
  ]);
});

/** An envelope's payload, once openssl has verified it. */
function readSigned(file: string, publicFile: string): { payload: string } {
  const { payloadType, payload, signatures } = JSON.parse(readFileSync(file, "utf8")) as Envelope;
  const bytes = Buffer.from(payload, "base64");
  const folder = newFolder();
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `;
  writeFileSync(join(folder, "signed"), Buffer.concat([Buffer.from(head), bytes]));
  writeFileSync(join(folder, "signature"), Buffer.from(signatures[0]!.sig, "base64"));
  const verify = `pkeyutl -verify -pubin -inkey ${publicFile} -rawin -in signed -sigfile signature`;
  expect(spawnSync("openssl", verify.split(" "), { cwd: folder }).status).toBe(0);
  return { payload: bytes.toString() };
}
