/** The messages that the page on failed builds explains: how each is caused here, or why it cannot be. */
import type { Trouble } from "./page-plan.ts";

const WITHOUT_DOCKER = "is of Docker's engine or its old builder, which cannot be started where tests run";
const FAR = "is of a registry elsewhere, which tests do not reach";
const BASE = "FROM node:24-alpine";
/** @param lines below `FROM` @param options of `millrace build` */
const build = (lines: string, options = "."): string =>
  `printf '${BASE}\\n${lines}\\n' > Dockerfile && millrace build --progress plain ${options}`;

export const BUILDS_TROUBLES: { [heading: string]: Trouble } = {
  "Builders cannot run on this server yet": {
    isLeftOut: "is of a server whose machine lacks BuildKit; tests/installations meets it",
  },
  "failed to compute cache key: failed to calculate checksum of ref": {
    run: build("COPY package-lock.json ./"),
  },
  "failed to read dockerfile: open Dockerfile: no such file or directory": {
    run: "rm Dockerfile; millrace build .",
  },
  "dockerfile parse error: unknown instruction": { run: build("RUN one\\n  two\\ntwo") },
  "target stage could not be found": { run: build("", "--target final .") },
  "cannot replace to directory … with file": {
    run: `mkdir -p vendor && rm -rf vendor && echo x > vendor; ${build("RUN mkdir /vendor\\nCOPY vendor /")}`,
  },
  "the --mount option requires BuildKit": { isLeftOut: WITHOUT_DOCKER },
  "The build context is larger than": {
    run: `truncate -s 40M large; ${build("COPY . /")}; code=$?; rm large; (exit $code)`,
  },
  "did not complete successfully: exit code: 1": { run: build("RUN false") },
  "did not complete successfully: exit code: 127": { run: build("RUN curl http://localhost") },
  "did not complete successfully: exit code: 137": {
    // Like a kill by the kernel, without using up the machine's memory.
    run: build('RUN sh -c "kill -9 \\$\\$"; exit $?'),
  },
  "exec format error": { run: build('RUN echo x > /x && chmod 755 /x\\nRUN ["/x"]') },
  "no space left on device": {
    run: build("RUN --mount=type=tmpfs,target=/t,size=1048576 dd if=/dev/zero of=/t/x bs=1M count=2"),
  },
  "Temporary failure resolving": { isLeftOut: "are apt's words, which is not in the tests' image" },
  "connect: connection refused for localhost": {
    run: build("RUN wget http://localhost:5432"),
    // busybox's words.
    says: "Connection refused",
  },
  "E: Unable to locate package": { isLeftOut: "are apt's words, which is not in the tests' image" },
  "secret npmrc: not found": {
    run: build("RUN --mount=type=secret,id=npmrc,required=true true"),
  },
  "unset ssh forward key default": { run: build("RUN --mount=type=ssh,required=true true") },
  "granting entitlement security.insecure is not allowed by build daemon configuration": {
    run: build("RUN --security=insecure true", "--allow security.insecure ."),
  },
  "additional privileges requested": {
    run: `mkdir -p ../shared && printf 'target "default" {\\n  context = "../shared"\\n}\\n' > docker-bake.hcl; millrace bake; code=$?; rm docker-bake.hcl; (exit $code)`,
  },
  "pull access denied, repository does not exist or may require authorization": { isLeftOut: FAR },
  "denied: requested access to the resource is denied": {
    isLeftOut: FAR,
  },
  "unauthorized: authentication required": { isLeftOut: FAR },
  "unauthorized: token expired": { isLeftOut: FAR },
  "failed to fetch oauth token": { isLeftOut: FAR },
  "error getting credentials": {
    isLeftOut: "are Docker's words: the CLI continues without a helper that is missing",
  },
  "toomanyrequests: You have reached your unauthenticated pull rate limit": { isLeftOut: FAR },
  "no match for platform in manifest": { isLeftOut: FAR },
  "manifest unknown": {
    run: 'echo "$USER_TOKEN" | crane auth login $REGISTRY -u x-token --password-stdin && crane manifest {{host}}/acme/web:absent',
    // crane's name for it.
    says: "MANIFEST_UNKNOWN",
  },
  "x509: certificate signed by unknown authority": { isLeftOut: FAR },
  "http: server gave HTTP response to HTTPS client": { isLeftOut: FAR },
  "docker exporter does not currently support exporting manifest lists": {
    isLeftOut: WITHOUT_DOCKER,
  },
  "tag is needed when pushing to registry": { run: build("", "--push .") },
  "unauthenticated: no token": { run: "HOME=$HOME/nobody millrace whoami", exitCode: 3 },
  "unauthenticated: token is expired": {
    isLeftOut: "needs a token that has grown old; src/accounts lets one do so",
  },
  "permission_denied: no trust relationship matches": {
    isLeftOut: "needs a CI provider's token; src/accounts/trust has some",
  },
  "no project: run millrace init or pass --project": { run: "(cd / && millrace build .)", exitCode: 2 },
  "not_found: project was not found": { run: "millrace build --project prj_0000000000 .", exitCode: 4 },
  "connect ECONNREFUSED": { run: "MILLRACE_TOKEN=x millrace whoami --url http://127.0.0.1:65001" },
  "context deadline exceeded": { isLeftOut: "needs a machine that does not answer" },
  "failed to receive status: rpc error: code = Unavailable": {
    isLeftOut: "tests/clients/builds ends builders while they build",
  },
  "The build ran longer than its limit": { isLeftOut: "takes a minute at least; src/builds proves it" },
  "No output specified with remote driver": {
    run: build("RUN echo 1"),
    exitCode: 0,
  },
  "failed to configure registry cache importer": {
    run: build("RUN echo 1", "--cache-from type=registry,ref={{host}}/acme/web:cache ."),
    exitCode: 0,
  },
};
