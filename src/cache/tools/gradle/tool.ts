import type { CacheTool } from "../tool.ts";
import { http } from "./http.ts";

export const gradle: CacheTool = {
  name: "Gradle",
  http,
  since: "4.4.1",
  tested: "4.4.1",
  brand: "gradle",
  how: "HTTP build cache",
  saves:
    "Gradle asks this cache before it runs a task. A task with the same inputs is not run again, on any machine.",
  protocol: "HTTP build cache",
  address: "`{{origin}}/cache/gradle/`",
  credentials: "User name `x-token`, the token as password",
  token: { from: "`credentials` in `settings.gradle.kts`", form: "user `x-token`, password the token" },
  runner: "an init script that adds the remote cache",
  prints: { miss: "nothing after the task's name", hit: "`FROM-CACHE`" },
  keys: {
    command: "`./gradlew build --scan`, or `-Dorg.gradle.caching.debug=true`",
    compare: "hashes of the inputs",
  },
  setUp: {
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
};
