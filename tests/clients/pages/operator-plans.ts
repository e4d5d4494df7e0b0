/** The pages for operators and for people who come from another product. */
import { askProgram, cannotHave } from "../cache/install-tool.ts";
import { findBazel } from "../cache/tools.ts";
import { findCrane, findDocker, findOras } from "../registry/tools.ts";
import { BAZEL_SHOP } from "./cache-shops.ts";
import { LOAD, leftOut, SHOP } from "./builds-shop.ts";
import { LOG_IN, type PagePlan, type StepPlan } from "./page-plan.ts";
import { all } from "./registry-plans.ts";

/** The machine's own; its built-in provider needs no download. */
async function findTerraform(): Promise<string | null> {
  for (const program of ["terraform", "tofu"]) if ((await askProgram(program, "version")) !== null) return "";
  return cannotHave("terraform", "it is not installed");
}

const ofMachine = async () => ((await findBazel()) === null ? null : "");

/** A project that a page creates. */
const NEW_PROJECT: Pick<StepPlan, "prints"> = { prints: ["Created prj_… in organization acme"] };
/** The records already have the project `web`. */
const IN_FOLDER: StepPlan = {
  starts: "millrace init --name web",
  as: "millrace init --project prj_7q4hx2n9ds",
  prints: ["Wrote millrace.json"],
};
const COUNTS = [
  [/ \d+\/\d+ /, " … "],
  [/ (?:\d+m )?\d+s$/, " …"],
] as const;
/** Pulled from Harbor on the page; here from a second server, with the same records. */
const HARBOR = ["harbor.example.com/shop/web", "$ELSEWHERE/acme/web"] as const;
const LOGINS =
  'for host in $REGISTRY $ELSEWHERE; do crane auth login "$host" -u x-token -p "$USER_TOKEN"; done';
const IN_ELSEWHERE = "crane push ~/images/one $ELSEWHERE/acme/web:1.4.0";
/** What `helm push` uploads, as ORAS uploads it. */
const CHART = `tar -czf shop-chart-1.4.0.tgz shop-chart && echo '{"name":"shop-chart","version":"1.4.0"}' > config.json && oras push --plain-http {{host}}/acme/shop-chart:1.4.0 --config config.json:application/vnd.cncf.helm.config.v1+json shop-chart-1.4.0.tgz:application/vnd.cncf.helm.chart.content.v1.tar+gzip`;
const HELM = "Helm is not installed where tests run; ORAS pushes the same artifact below";

export const OPERATOR_PLANS: { [path: string]: PagePlan } = {
  "/docs/security/single-sign-on": {
    files: { "active.txt": "Ada@acme.example\n" },
    // Only a person may invite and remove.
    before: "export MILLRACE_TOKEN=$USER_TOKEN",
    pageFiles: { "offboard.sh": [] },
    // An empty export removes no one.
    after: `: > active.txt
      if REMOVE=yes bash offboard.sh > printed 2>&1; then exit 1; fi
      [ "$(cat printed)" = "active.txt is missing or empty" ]`,
    steps: [
      {
        starts: "#!/usr/bin/env bash",
        // grace has no address, and is not on the list.
        prints: ["grace is not in active.txt"],
      },
      {
        starts:
          'curl -sS --fail-with-body "$MILLRACE_URL/api/millrace.v1.OrganizationService/CreateInvitation"',
        prints: ["{{origin}}/app/join/…"],
      },
    ],
  },
  "/docs/api/overview/terraform": {
    tool: findTerraform,
    projects: { api: "prj_e2w9nc6rmy" },
    pageFiles: { "projects.tf": [] },
    env: { TF_CLI_ARGS: "-no-color", CHECKPOINT_DISABLE: "1" },
    before:
      'export MILLRACE_TOKEN=$ORGANIZATION_TOKEN; command -v terraform > /dev/null || terraform() { tofu "$@"; }; millrace projects delete web --yes',
    steps: [
      // One project exists, and the other is created. A second run changes nothing.
      {
        starts: "millrace projects list",
        before: "terraform apply -auto-approve | grep '0 added, 0 changed, 0 destroyed'",
      },
    ],
  },
  "/docs/cache/overview/bazel-remote": {
    tool: ofMachine,
    files: {
      ...BAZEL_SHOP,
      ".bazelrc":
        "build --remote_local_fallback\nbuild --incompatible_strict_action_env\nbuild --noremote_upload_local_results\nbuild:ci --remote_upload_local_results\ntry-import %workspace%/.bazelrc.user\n",
    },
    // The page's table, as a file.
    before:
      'export MILLRACE_TOKEN=$ORGANIZATION_TOKEN; printf \'build --remote_cache=%s/cache/bazel\\nbuild --remote_header="authorization=Bearer %s"\\n\' "$ORIGIN" "$MILLRACE_TOKEN" > .bazelrc.user',
    after: "bazel shutdown",
    steps: [{ starts: "millrace cache usage", prints: ["bazel …"] }],
  },
  "/docs/registry/overview/harbor": {
    tool: all(findCrane, findOras),
    before: `${LOG_IN} && ${LOGINS} && ${IN_ELSEWHERE}`,
    steps: [
      {
        starts: "millrace projects create web",
        before: "millrace projects delete web --yes",
        ...NEW_PROJECT,
      },
      { starts: "crane copy --all-tags", names: [HARBOR] },
      {
        starts: "oras copy",
        as: "oras copy --recursive --from-plain-http --to-plain-http $ELSEWHERE/acme/web:1.4.0 {{host}}/acme/web:1.4.0",
      },
      { starts: "crane digest harbor", names: [HARBOR] },
    ],
  },
  "/docs/registry/overview/helm": {
    tool: all(findCrane, findOras),
    before: `${LOG_IN} && crane auth login $REGISTRY -u x-token -p "$USER_TOKEN" && mkdir shop-chart && echo 'version: 1.4.0' > shop-chart/Chart.yaml`,
    steps: [
      { starts: "millrace projects create shop-chart", ...NEW_PROJECT },
      ...leftOut(HELM, 'echo "$MILLRACE_TOKEN" | helm', "helm package", "helm install"),
      { starts: "helm push", as: CHART },
      { starts: "millrace images list", differs: [[/-\s+12\.3 kB/, "…"]] },
    ],
  },
  "/docs/container-builds/overview/depot": {
    files: SHOP,
    before: LOG_IN,
    steps: [
      IN_FOLDER,
      { starts: "millrace builds list", before: "millrace build --quiet .", differs: COUNTS },
    ],
  },
  "/docs/container-builds/overview/docker-build-cloud": {
    tool: all(findDocker),
    files: SHOP,
    env: LOAD,
    before: `${LOG_IN} && mkdir -p ~/.docker/cli-plugins && ln -s $MILLRACE_BUILDX ~/.docker/cli-plugins/docker-buildx`,
    steps: [
      IN_FOLDER,
      { starts: "millrace builds list", before: "millrace build --quiet .", differs: COUNTS },
    ],
  },
};
