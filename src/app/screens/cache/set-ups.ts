/**
 * How to connect each tool, with the same lines as its documentation page; a test compares them. `{{origin}}`, `{{host}}`
 * and `{{org}}` are filled in; a secret never is.
 */
export interface SetUp {
  files: readonly { name: string; text: string }[];
  /** Fills the cache, then reads from it. */
  twice: readonly string[];
  /** The second run's output when something came from the cache. */
  proof: { where: string; mark: string };
}

/** Sets the variable that most of the lines read; same as on the page about tokens. */
export const SET_TOKEN = "export MILLRACE_TOKEN=mr_user_your_token";

/** Whether the lines read the token from the environment without setting it. */
export function readsToken({ files, twice }: SetUp): boolean {
  const lines = [...files.map(({ text }) => text), ...twice].join("\n");
  return lines.includes("MILLRACE_TOKEN") && !lines.includes(SET_TOKEN);
}

interface Place {
  /** `https://build.acme.example` */
  origin: string;
  organization: string;
}

/** gRPC has its own schemes. */
export function fillIn(text: string, { origin, organization }: Place): string {
  const { host, protocol } = new URL(origin);
  return text
    .replaceAll("grpcs://{{host}}", `${protocol === "https:" ? "grpcs" : "grpc"}://${host}`)
    .replaceAll("{{origin}}", origin)
    .replaceAll("{{org}}", organization);
}

export const SET_UPS = new Map<string, SetUp>(
  Object.entries({
    bazel: {
      files: [
        {
          name: ".bazelrc",
          text: `# Where results come from, and where they go
build --remote_cache={{origin}}/cache/bazel
build --remote_local_fallback
build --remote_timeout=30s

# Equal keys on all machines
build --incompatible_strict_action_env
build --experimental_guard_against_concurrent_changes

# Workstations read, CI writes: bazel build --config=ci
build --noremote_upload_local_results
build:ci --remote_upload_local_results

try-import %workspace%/.bazelrc.user`,
        },
      ],
      twice: [
        `printf 'build --remote_header="authorization=Bearer %s"\\n' "$MILLRACE_TOKEN" > .bazelrc.user`,
        "bazel build --config=ci //...",
        "bazel clean --expunge",
        "bazel build //...",
      ],
      proof: { where: "The last lines of the second build count", mark: "remote cache hit" },
    },
    gocache: {
      files: [
        {
          name: "Shell or CI job",
          text: `export MILLRACE_URL={{origin}}
export MILLRACE_TOKEN=mr_user_your_token
export GOCACHEPROG="millrace gocache"`,
        },
      ],
      twice: [
        `export GOCACHEPROG="millrace gocache --verbose --dir /tmp/gocache-a"`,
        "go build ./...",
        `export GOCACHEPROG="millrace gocache --verbose --dir /tmp/gocache-b"`,
        "go build ./...",
      ],
      proof: { where: "The lines of the second build end with", mark: "remote" },
    },
    gradle: {
      files: [
        {
          name: "settings.gradle.kts",
          text: `val millraceCache = uri("{{origin}}/cache/gradle/")
val millraceToken = System.getenv("MILLRACE_TOKEN")
val isCi = System.getenv("CI") != null

buildCache {
    local {
        isEnabled = true
    }
    remote<HttpBuildCache> {
        url = millraceCache
        isAllowInsecureProtocol = millraceCache.scheme == "http"
        isEnabled = millraceToken != null
        isPush = isCi
        credentials {
            username = "x-token"
            password = millraceToken
        }
    }
}`,
        },
        { name: "gradle.properties", text: "org.gradle.caching=true" },
      ],
      twice: ["CI=1 ./gradlew clean build", "rm -rf ~/.gradle/caches/build-cache-1", "./gradlew clean build"],
      proof: { where: "Tasks of the second build say", mark: "FROM-CACHE" },
    },
    maven: {
      files: [
        {
          name: ".mvn/extensions.xml",
          text: `  <extension>
    <groupId>org.apache.maven.extensions</groupId>
    <artifactId>maven-build-cache-extension</artifactId>
    <version>1.2.2</version>
  </extension>`,
        },
        {
          name: ".mvn/maven-build-cache-config.xml",
          text: `  <configuration>
    <enabled>true</enabled>
    <remote enabled="true" saveToRemote="false" id="millrace">
      <url>{{origin}}/cache/maven</url>
    </remote>
  </configuration>`,
        },
        {
          name: "~/.m2/settings.xml",
          text: `    <server>
      <id>millrace</id>
      <configuration>
        <httpHeaders>
          <property>
            <name>Authorization</name>
            <value>Bearer \${env.MILLRACE_TOKEN}</value>
          </property>
        </httpHeaders>
      </configuration>
    </server>`,
        },
      ],
      twice: [
        "mvn verify -Dmaven.build.cache.remote.save.enabled=true",
        "rm -rf ~/.m2/build-cache && git clean -qfdx",
        "mvn verify",
      ],
      proof: { where: "Modules of the second build say", mark: "downloaded from remote repo" },
    },
    moonrepo: {
      files: [
        {
          name: ".moon/workspace.yml",
          text: `remote:
  host: 'grpcs://{{host}}'
  auth:
    token: 'MILLRACE_TOKEN'
  cache:
    instanceName: 'moonrepo'
    compression: 'zstd'`,
        },
      ],
      twice: ["moon run :build", "rm -rf .moon/cache apps/*/dist packages/*/dist", "moon run :build"],
      proof: { where: "Tasks of the second run say", mark: "cached from remote" },
    },
    pants: {
      files: [
        {
          name: "pants.toml",
          text: `# Results come from Millrace
remote_cache_read = true
remote_cache_write = false
remote_store_address = "grpcs://{{host}}"
remote_instance_name = "pants"
remote_cache_warnings = "backoff"`,
        },
        {
          name: "pants.ci.toml",
          text: `[GLOBAL]
remote_cache_write = true
dynamic_ui = false`,
        },
        {
          name: "Shell or CI job",
          text: `export PANTS_REMOTE_OAUTH_BEARER_TOKEN="$MILLRACE_TOKEN"
export PANTS_CONFIG_FILES=pants.ci.toml   # in CI only`,
        },
      ],
      twice: [
        "export PANTS_CONFIG_FILES=pants.ci.toml",
        "pants --no-local-cache test ::",
        "pants --no-local-cache test ::",
      ],
      proof: { where: "Tests of the second run say", mark: "cached remotely" },
    },
    sccache: {
      files: [
        {
          name: "Shell or CI job",
          text: `export SCCACHE_WEBDAV_ENDPOINT={{origin}}/cache/sccache
export SCCACHE_WEBDAV_TOKEN="$MILLRACE_TOKEN"
export RUSTC_WRAPPER=sccache
export CARGO_INCREMENTAL=0`,
        },
      ],
      twice: [
        "sccache --stop-server",
        "cargo build --release",
        "cargo clean",
        "cargo build --release",
        "sccache --show-stats",
      ],
      proof: { where: "The statistics count", mark: "Cache hits" },
    },
    turbo: {
      files: [
        {
          name: "Shell or CI job",
          text: `export TURBO_API={{origin}}/cache/turbo
export TURBO_TEAM={{org}}
export TURBO_TOKEN=mr_user_your_token`,
        },
      ],
      twice: ["npx turbo run build --force", "npx turbo run build --cache=local:,remote:r"],
      proof: { where: "The second run ends with", mark: "FULL TURBO" },
    },
  }),
);
