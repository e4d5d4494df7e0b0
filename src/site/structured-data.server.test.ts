/**
 * 1. A text with "</script>" does not end the element, and is read back unchanged.
 * 2. Crumbs are numbered from 1; a step without a page is left out, the last step stays.
 * 3. A page's data has the date only if it is known, and crumbs only if there is a trail.
 */
import { expect, it } from "vitest";
import type { SitePage } from "./site-source.ts";
import { breadcrumbList, docsPageData, jsonLd } from "./structured-data.server.ts";

const dataOf = (element: string): unknown =>
  JSON.parse(/<script[^>]*>(.*)<\/script>/s.exec(element)?.[1] ?? "");

it("(1) keeps markup inside the data", () => {
  const name = "</script><script>alert(1)</script><!--";
  const element = jsonLd({ "@type": "WebPage", name });
  expect(element.match(/<\/script>/g)).toHaveLength(1);
  expect(element).not.toContain("<!--");
  expect(dataOf(element)).toEqual({ "@context": "https://schema.org", "@type": "WebPage", name });
});

it("(2) numbers the steps that are pages", () => {
  const crumbs = [
    { label: "Cache", to: "/docs/cache" },
    { label: "Reference" },
    { label: "Go", to: "/docs/cache/go" },
  ];
  expect(breadcrumbList(crumbs, "https://m.example")["itemListElement"]).toEqual([
    { "@type": "ListItem", position: 1, name: "Cache", item: "https://m.example/docs/cache" },
    { "@type": "ListItem", position: 2, name: "Go", item: "https://m.example/docs/cache/go" },
  ]);
  expect(breadcrumbList([...crumbs, { label: "Here" }], "")["itemListElement"]).toHaveLength(3);
});

it("(3) says what is known", () => {
  const page: SitePage = {
    path: "/docs/faq",
    title: "Questions",
    description: "",
    isPreview: false,
    isDraft: false,
    html: "",
    headings: [],
    crumbs: [{ label: "FAQs", to: "/docs/faq" }],
    previous: null,
    next: null,
    updated: null,
    ran: null,
    editUrl: null,
    languages: [],
  };
  const article = { "@type": "TechArticle", headline: "Questions", image: "https://m.example/a.png" };
  expect(dataOf(docsPageData(page, "/a.png", "https://m.example"))).toEqual({
    "@context": "https://schema.org",
    ...article,
  });
  const deeper = { ...page, updated: "2026-11-21", crumbs: [{ label: "Top", to: "/docs" }, ...page.crumbs] };
  expect(dataOf(docsPageData(deeper, "/a.png", "https://m.example"))).toMatchObject({
    "@graph": [{ ...article, dateModified: "2026-11-21" }, { "@type": "BreadcrumbList" }],
  });
});
