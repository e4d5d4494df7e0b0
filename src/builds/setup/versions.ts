/** Versions that are installed for builders. The sources are Go modules, which Go checks against its public database. */

/** `tests/clients` build with it; versions before its minor version are refused. */
export const BUILDKIT_VERSION = "0.33.0";
/** The clients of `tests/clients` also have this version. */
export const BUILDX_VERSION = "0.29.1";

/** By Node.js' name of the processor. */
export const GO_ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: "amd64",
  arm64: "arm64",
  arm: "arm",
  ppc64: "ppc64le",
  riscv64: "riscv64",
  s390x: "s390x",
};

export interface Release {
  url: string;
  /** In hexadecimal digits. */
  sha256: string;
}

/** By Go's name of the architecture; decision 051 says where the checksums come from. */
export const BUILDKIT_RELEASES: Readonly<Record<string, Release>> = {
  amd64: buildkit("amd64", "b6242896d343100808dcbe37565caf381e0a444a6a83d7255926bb1519248ead"),
  arm64: buildkit("arm64", "e5acfb5929f967fde3b925ddb39f79fd481a0e96774c641fab3a0e83950d7bfa"),
};
export const BUILDX_RELEASES: Readonly<Record<string, Release>> = {
  amd64: buildx("amd64", "7d2d7d6d4680aa349614965aaa33ccec43f1a9a21e908a5ce4cb6adfa5ad5141"),
  arm64: buildx("arm64", "50e85c4e290b698908421161c1aee069bcc5d4a65b7b7201bfac3a176b223a7e"),
};

function buildkit(arch: string, sha256: string): Release {
  const file = `buildkit-v${BUILDKIT_VERSION}.linux-${arch}.tar.gz`;
  return { url: `https://github.com/moby/buildkit/releases/download/v${BUILDKIT_VERSION}/${file}`, sha256 };
}

function buildx(arch: string, sha256: string): Release {
  const file = `buildx-v${BUILDX_VERSION}.linux-${arch}`;
  return { url: `https://github.com/docker/buildx/releases/download/v${BUILDX_VERSION}/${file}`, sha256 };
}
