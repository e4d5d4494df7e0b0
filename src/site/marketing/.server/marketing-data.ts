/** Structured data of the marketing pages. It contains only facts that readers can see on the page. */
import { siteConfig } from "#config";
import { breadcrumbList, jsonLd, organization, type Thing } from "../../structured-data.server.ts";
import { isPreview } from "./content.ts";
import type { ChangelogEntry, Product } from "./read-marketing.ts";

const { name, description } = siteConfig;

export function homeData(origin: string): string {
  const site: Thing = {
    "@type": "WebSite",
    name,
    url: `${origin}/`,
    description,
    potentialAction: {
      "@type": "SearchAction",
      target: `${origin}/docs?q={search_term_string}`,
      "query-input": "required name=search_term_string",
    },
  };
  return jsonLd(site, organization(origin));
}

/** Has no offer, rating or version, because there are none yet. */
export function productData(product: Product, origin: string): string {
  const software: Thing = {
    "@type": "SoftwareApplication",
    name: `${name} ${product.name}`,
    description: product.description,
    url: origin + product.path,
    applicationCategory: "DeveloperApplication",
    operatingSystem: "Linux",
    creativeWorkStatus: isPreview(product) ? "Preview" : "Published",
    softwareHelp: { "@type": "CreativeWork", url: origin + product.docs.to },
  };
  return jsonLd(software, wayTo(product.name, product.path, origin));
}

export function trustData(title: string, origin: string): string {
  const page: Thing = {
    "@type": "WebPage",
    name: title,
    url: `${origin}/trust`,
    about: organization(origin),
  };
  return jsonLd(page, wayTo(title, "/trust", origin));
}

export function changelogData(entries: ChangelogEntry[], origin: string): string {
  const blog: Thing = {
    "@type": "Blog",
    name: `${name} changelog`,
    url: `${origin}/changelog`,
    blogPost: entries.map((entry) => ({
      "@type": "BlogPosting",
      headline: entry.title,
      datePublished: entry.date,
      url: `${origin}/changelog#${entry.id}`,
    })),
  };
  return jsonLd(blog, wayTo("Changelog", "/changelog", origin));
}

const wayTo = (label: string, to: string, origin: string) =>
  breadcrumbList(
    [
      { label: name, to: "/" },
      { label, to },
    ],
    origin,
  );
