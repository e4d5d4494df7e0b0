/** The CI job, read from its environment variables: shown with the build, as links. */

const MAX_LABEL = 200;

export function jobLabels(env: NodeJS.ProcessEnv): { [name: string]: string } {
  const found =
    env["GITHUB_ACTIONS"] === "true" ? ofGitHub(env) : env["GITLAB_CI"] === "true" ? ofGitLab(env) : {};
  const labels: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(found))
    if (value !== undefined && value !== "" && value.length <= MAX_LABEL) labels[name] = value;
  return labels;
}

type Found = { [name: string]: string | undefined };

/** https://docs.github.com/actions/reference/variables-reference */
function ofGitHub(env: NodeJS.ProcessEnv): Found {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const [, number] = /^refs\/pull\/(\d+)\//.exec(env["GITHUB_REF"] ?? "") ?? [];
  const home = server && repository ? `${server}/${repository}` : undefined;
  return {
    pull_request: number === undefined ? undefined : home ? `${home}/pull/${number}` : `#${number}`,
    // `acme/shop/.github/workflows/image.yml@refs/heads/main`
    workflow: /\/([^/@]+)@/.exec(env["GITHUB_WORKFLOW_REF"] ?? "")?.[1],
    run_url: home && run ? `${home}/actions/runs/${run}` : undefined,
  };
}

/** https://docs.gitlab.com/ci/variables/predefined_variables/ */
function ofGitLab(env: NodeJS.ProcessEnv): Found {
  const { CI_MERGE_REQUEST_IID: number, CI_PROJECT_URL: home } = env;
  return {
    pull_request: number && (home ? `${home}/-/merge_requests/${number}` : `#${number}`),
    run_url: env["CI_JOB_URL"],
  };
}
