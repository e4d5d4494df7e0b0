import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "#server/pages/build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { makeRelease } from "./release/make-release.ts";
import { makeKey, readKey } from "./release/sign.ts";

const USAGE = `npm run release -- --key release.key [--into release] [--image millrace=image.tar]…
npm run release -- --new-key release.key

  --key      the private key that signs: Ed25519, PEM
  --into     the folder to write to; default: release
  --image    a name and an image as an OCI archive, which the provenance also names; can be given several times
  --new-key  creates such a key, and the public key next to it: release.key.pub`;

await runCommand(async () => {
  const { key, into, image, "new-key": newKey } = readOptions();
  if (newKey !== undefined) {
    const { publicFile } = await makeKey(resolve(newKey));
    return console.log(
      `Wrote ${newKey}, which no one else can read, and ${publicFile}, which everyone can read.`,
    );
  }
  if (key === undefined) throw new UserError(USAGE);
  const images = image.map((text) => {
    const [name, file] = [text.slice(0, text.indexOf("=")), text.slice(text.indexOf("=") + 1)];
    if (!text.includes("=") || name === "" || file === "")
      throw new UserError(`--image ${text}: write name=file.`);
    return { name, file: resolve(file) };
  });
  const files = await makeRelease({ into: resolve(root, into), key: await readKey(resolve(key)), images });
  console.log(files.join("\n"));
});

function readOptions() {
  const options = {
    key: { type: "string" },
    into: { type: "string", default: "release" },
    image: { type: "string", multiple: true, default: [] as string[] },
    "new-key": { type: "string" },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}
