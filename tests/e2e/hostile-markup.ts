/** Markup that sets `top.hostile` if any of it runs. */
const run = (name: string) => `top.hostile='${name}'`;

/** A file of this origin that is not part of the build, like an upload. */
export const upload = `${run("upload")};export default 1`;

export const hostileMarkup = [
  `"'></title></style></textarea></script><script>${run("inline")}</script>`,
  `<script type="module">${run("module")}</script>`,
  `<script src="data:text/javascript,${run("data")}"></script>`,
  `<img src="/no.png" onerror="${run("onerror")}">`,
  `<svg onload="${run("svg")}"><script>${run("svg-script")}</script></svg>`,
  `<input autofocus onfocus="${run("onfocus")}">`,
  `<iframe srcdoc="<script>${run("srcdoc")}</script>"></iframe>`,
  `<iframe src="javascript:${run("javascript")}"></iframe>`,
  `<object data="data:text/html,<script>${run("object")}</script>"></object>`,
  `<base href="data:text/javascript,${run("base")}//">`,
  `<a id="hostile-link" href="javascript:${run("link")}">link</a>`,
].join("");

/** The text that the boot script reads, written by an attacker. */
const client = (address: string) =>
  `<script type="text/x-client" data-preload="${address}">${JSON.stringify({
    manifest: address,
    entry: address,
    routes: { root: address },
  })}\n[]\n</script>`;

const addresses = {
  data: `data:text/javascript,${run("client-data")}`,
  upload: "/upload.js",
  climb: "/assets/../upload.js",
  host: "//localhost/assets/upload.js",
  query: "/assets/x.js?/../../upload.js",
  code: `${run("client-text")}`,
};

/** Case → the place in the page's HTML, and the text that follows it. */
export const hostileTexts: { [name: string]: [place: string, text: string] } = {
  head: ["<head>", hostileMarkup],
  body: ["<body>", hostileMarkup],
  prose: ['<div id="prose" class="prose">', hostileMarkup],
  // As React Router itself would write it.
  router: [
    "<body>",
    `<script>window.__reactRouterContext = {};${run("context")}</script>` +
      `<script>window.__reactRouterContext.streamController.enqueue("[]");${run("stream")}</script>` +
      `<script type="module" async="">import "data:text/javascript,${run("import")}";${run("routes")}</script>`,
  ],
  // In the very element whose text the boot script reads.
  ends: ['<script type="text/x-client"', `></script>${hostileMarkup}<script type="text/x-client"`],
  ...Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [`client-${name}`, ["<body>", client(address)]]),
  ),
};
