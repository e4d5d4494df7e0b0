import type { SiteConfig } from "./src/site-config.ts";

/** All settings that an operator may want to change. Each key is documented in `src/site-config.ts`. */
export const siteConfig: SiteConfig = {
  name: "Millrace",
  description:
    "Self-hosted build infrastructure: container builds, registry, CI runners, remote cache and agent sandboxes from one process.",
  owner: "Millrace",
  repository: null,
  editions: [],

  header: {
    links: [
      { label: "Products", links: "products" },
      { label: "Docs", to: "/docs" },
      { label: "Trust", to: "/trust" },
      { label: "Changelog", to: "/changelog" },
    ],
    action: { label: "Build faster", to: "/app", key: "B" },
  },
  docsBar: [
    { label: "Status", to: "/status" },
    { label: "Support", to: "/docs/container-builds/troubleshooting" },
  ],
  footer: [
    { label: "Status", to: "/status" },
    { label: "Security", to: "/docs/security" },
    { label: "llms.txt", to: "/llms.txt" },
  ],
  social: [],
  community: null,
  trust: { soc: true, funding: true, securityContact: null },

  search: {
    provider: "embedded",
    algolia: null,
    indexName: "docs",
    language: "en",
    stopWords: null,
  },

  telemetry: {
    retentionDays: 30,
    maxBytes: 2_000_000_000,
    analytics: true,
    recording: true,
    flags: [],
    surveys: [
      {
        id: "found-it",
        isActive: true,
        question: "Did you find what you came for?",
        choices: ["Yes", "Partly", "No"],
        percentage: 100,
        languages: [],
        paths: ["/docs/faq", "/docs/container-builds/troubleshooting"],
      },
    ],
  },
};
