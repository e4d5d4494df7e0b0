import type { CacheTool } from "../tool.ts";
import { http } from "./http.ts";

export const maven: CacheTool = {
  name: "Maven",
  http,
  since: "3.9",
  tested: "3.9.11, extension 1.2.2",
  brand: "apachemaven",
  how: "Build Cache Extension",
  saves:
    "Maven asks this cache before it builds a module. A module with the same sources is not built again, on any machine.",
  protocol: "Maven Build Cache Extension",
  address: "`{{origin}}/cache/maven`",
  credentials: "`httpHeaders` in `settings.xml`",
  token: { from: "`settings.xml`, `httpHeaders` of the server", form: "`Authorization: Bearer <token>`" },
  organization: "a second property `Millrace-Org` under `httpHeaders`",
  runner: "a server `millrace` in `~/.m2/settings.xml`",
  prints: { miss: "`Cache item not found`", hit: "`Build info downloaded from remote repo`" },
  keys: {
    command: "`-Dmaven.build.cache.baselineUrl=<buildinfo.xml of the other>`",
    compare: "`buildsdiff.xml`",
  },
  setUp: {
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
};
