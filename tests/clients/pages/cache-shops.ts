/** The shop that the samples on the cache's pages build, as each tool wants it. */
type Files = { [path: string]: string };

const TEST = `public class BasketTest {
  @org.junit.Test public void isEmpty() { org.junit.Assert.assertEquals(0, new Basket().total()); }
}
`;
const BASKET = "class Basket { int total() { return 0; } }\n";

const COUNT = 12;

export const BAZEL_SHOP: Files = {
  WORKSPACE: "",
  "basket/basket.txt": "basket\n",
  "basket/BUILD": `[genrule(
    name = "part_%d" % n,
    srcs = ["basket.txt"],
    outs = ["part_%d.txt" % n],
    cmd = "echo %d | cat - $(SRCS) > $@" % n,
    visibility = ["//visibility:public"],
) for n in range(${COUNT})]
`,
  "app/BUILD": `genrule(
    name = "app",
    srcs = ["//basket:part_%d" % n for n in range(${COUNT})],
    outs = ["app.txt"],
    cmd = "cat $(SRCS) > $@",
)
`,
};

export const GO_SHOP: Files = {
  "go.mod": "module github.com/acme/shop\n\ngo 1.24\n",
  "basket/basket.go": 'package basket\n\nimport "fmt"\n\nfunc Print() { fmt.Println("basket") }\n',
  "basket/basket_test.go": 'package basket\n\nimport "testing"\n\nfunc TestPrint(t *testing.T) { Print() }\n',
  "checkout/checkout.go": "package checkout\n",
  "checkout/checkout_test.go": 'package checkout\n\nimport "testing"\n\nfunc TestNothing(t *testing.T) {}\n',
  "cmd/shop/main.go":
    'package main\n\nimport "github.com/acme/shop/basket"\n\nfunc main() { basket.Print() }\n',
};

export const GRADLE_SHOP: Files = {
  gradlew: '#!/bin/sh\nexec gradle --console=plain "$@"\n',
  "build.gradle": `apply plugin: 'java'
dependencies { testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar') }
`,
  "src/main/java/Basket.java": BASKET,
  "src/main/resources/basket.properties": "currency=EUR\n",
  "src/test/java/BasketTest.java": TEST,
  // For the first task, which deletes it.
  "build/earlier.txt": "",
};

export const MAVEN_SHOP: Files = {
  "pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>basket</artifactId>
  <version>1.0</version>
  <properties>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
  </properties>
  <dependencies>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>4.13.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
`,
  ".gitignore": "target\n",
  "src/main/java/Basket.java": BASKET,
  "src/test/java/BasketTest.java": TEST,
};

const moonTasks = (more = "") => `${more}
tasks:
  build:
    script: 'mkdir -p dist && cp src/main.ts dist/main.ts'
    deps: ['^:build']
    inputs:
      - 'src/**/*'
    outputs:
      - 'dist'
`;

export const MOON_SHOP: Files = {
  ".gitignore": ".moon/cache\ndist\n",
  "apps/web/moon.yml": moonTasks("dependsOn: ['ui']"),
  "apps/web/src/main.ts": "export {};\n",
  "packages/ui/moon.yml": moonTasks(),
  "packages/ui/src/main.ts": "export {};\n",
};

/** Pants takes whichever comes first, the result of the process or of the cache: it must not be the process. */
const SLOW_TEST = `experimental_test_shell_command(name="tests", command="sleep 3", tools=["sleep"])\n`;

/** Folders in place of files, so that the tests have the names of the page. */
export const PANTS_SHOP: Files = {
  "src/python/shop/basket_test.py/BUILD": SLOW_TEST,
  "src/python/shop/price_test.py/BUILD": SLOW_TEST.replace("sleep 3", "sleep 3.1"),
};

const CRATES = ["basket", "checkout", "mail", "money", "stock", "tax"];

export const CARGO_SHOP: Files = {
  "Cargo.toml": `[package]
name = "shop"
version = "0.1.0"
edition = "2021"

[dependencies]
${CRATES.map((name) => `${name} = { path = "crates/${name}" }`).join("\n")}
`,
  "src/main.rs": "fn main() {}\n",
  ...Object.fromEntries(
    CRATES.flatMap((name) => [
      [`crates/${name}/Cargo.toml`, `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`],
      [`crates/${name}/src/lib.rs`, `pub fn name() -> &'static str { "${name}" }\n`],
    ]),
  ),
  "shop.c": "int main(void) { return 0; }\n",
  "CMakeLists.txt":
    "cmake_minimum_required(VERSION 3.10)\nproject(shop C CXX)\nadd_executable(shop shop.c)\n",
  Makefile: "shop: shop.c\n\t$(CC) -c shop.c -o shop.o\n\t$(CC) shop.o -o shop\n",
};

const turboPackage = (name: string, dependencies = {}) =>
  JSON.stringify({
    name,
    version: "1.0.0",
    scripts: { build: `mkdir -p dist && echo ${name} > dist/${name}.txt` },
    dependencies,
  });

export const TURBO_SHOP: Files = {
  ".gitignore": ".turbo\ndist\n*.json\n!package*.json\n!turbo.json\n",
  "package.json": JSON.stringify({
    name: "shop",
    private: true,
    packageManager: "npm@10.8.2",
    workspaces: ["apps/*", "packages/*"],
  }),
  "package-lock.json": JSON.stringify({ name: "shop", lockfileVersion: 3, packages: {} }),
  "turbo.json": JSON.stringify({ tasks: { build: { dependsOn: ["^build"], outputs: ["dist/**"] } } }),
  // In sequence: parallel builds have no fixed order.
  "apps/docs/package.json": turboPackage("docs", { ui: "1.0.0", web: "1.0.0" }),
  "apps/docs/src/version.ts": "export const VERSION = 1;\n",
  "apps/web/package.json": turboPackage("web", { ui: "1.0.0" }),
  "packages/ui/package.json": turboPackage("ui"),
};
