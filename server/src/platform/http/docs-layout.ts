/** Layout of all /docs pages: menu, search box, light and dark themes, phone. */
import { readFileSync } from 'node:fs'
import { type Html, html } from './html.ts'

export type DocsPage = {
  slug: string
  title: string
  headings: { id: string; text: string }[]
  /** Links within the documentation start with `@/`. */
  html: string
  text: string
}
type Section = { title: string; pages: DocsPage[] }

export const sections = JSON.parse(
  readFileSync(new URL('guides.json', import.meta.url), 'utf8'),
) as readonly Section[]

export const style = `:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--paper:#fff;--line:#dde3ea;--code:#f4f6f9;--link:#0b5cad;--get:#0b6e4f;--post:#0b5cad;--put:#8a4b00;--delete:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#9aa5b4;--paper:#12161c;--line:#2b333d;--code:#1b2129;--link:#7db7f5;--get:#6fd3ac;--post:#7db7f5;--put:#f0b35c;--delete:#ff9a92}}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--link)}.frame{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:76rem;margin:0 auto}
nav{padding:1.5rem 1rem;border-right:1px solid var(--line)}nav h2{font-size:.8rem;color:var(--soft);margin:1.2rem 0 .2rem}
nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.15rem 0;color:inherit;text-decoration:none}nav a[aria-current]{font-weight:600;color:var(--link)}nav ul ul{padding-left:.8rem;font-size:.9rem}
main{padding:1.5rem 2rem 4rem;max-width:54rem}h1{line-height:1.2}h2{margin-top:2rem}
pre{background:var(--code);padding:1rem;overflow-x:auto;border-radius:6px;font-size:.85rem;line-height:1.45}code{font-family:ui-monospace,monospace;font-size:.9em}
:not(pre)>code{background:var(--code);padding:.1em .3em;border-radius:4px}table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}main{overflow-wrap:break-word}summary{cursor:pointer;font-weight:600;padding:.5rem 0}section:target,li:target{background:var(--code);outline:6px solid var(--code)}input{width:100%;font:inherit;padding:.4rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--paper);color:inherit}
.hits{list-style:none;padding:0}.hits small{color:var(--soft);display:block}:focus-visible{outline:2px solid var(--link)}
.soft{color:var(--soft)}.route{padding:.6rem .8rem;border:1px solid var(--line);border-radius:6px}.route code{background:none;padding:0;overflow-wrap:anywhere}
.method{display:inline-block;min-width:3.6rem;font:600 .75rem/1.6 ui-monospace,monospace}.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--put)}.delete{color:var(--delete)}
.routes{list-style:none;padding:0}.routes li{padding:.35rem 0;border-top:1px solid var(--line)}.routes code{background:none;padding:0;overflow-wrap:anywhere}.routes p{margin:0 0 0 3.6rem}
.fields{display:table;width:100%;table-layout:fixed;font-size:.9rem}.fields td,.fields th{border-width:1px 0}.fields td:first-child{width:38%;overflow-wrap:anywhere}.fields td:first-child code{background:none;padding:0}.fields small,.fields p{color:var(--soft);margin:0;display:block}
.mark{color:var(--delete);font-size:.8rem}.errors{font-size:.9rem}
@media(min-width:48.01rem){nav summary{display:none}nav details::details-content{content-visibility:visible}nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto}}
@media(max-width:48rem){.frame{display:block}nav{border:0;border-bottom:1px solid var(--line)}main{padding:1rem}.fields,.fields tbody,.fields tr,.fields td,.fields td:first-child{display:block;width:auto}.fields tr{border-top:1px solid var(--line);padding:.4rem 0}.fields td{border:0;padding:.1rem 0}.routes p{margin-left:0}}`

export type MenuItem = { slug: string; title: string; items?: readonly MenuItem[] }

/** `reference`: menu items below the API reference. */
export function docsLayout(basePath: string, page: DocsPage, reference: readonly MenuItem[] = []): Html {
  const item = ({ slug, title, items = [] }: MenuItem): Html => {
    const below = items.length === 0 ? null : html`<ul>${items.map(item)}</ul>`
    return slug === page.slug
      ? html`<li><a href="${basePath}/docs/${slug}" aria-current="page">${title}</a>${below}</li>`
      : html`<li><a href="${basePath}/docs/${slug}">${title}</a>${below}</li>`
  }
  const menu = sections.map(({ title, pages }) => html`<h2>${title}</h2><ul>${pages.map(item)}</ul>`)
  const first = [
    { slug: 'reference', title: 'API reference', items: reference },
    { slug: 'errors', title: 'Errors' },
    { slug: 'changelog', title: 'Changelog' },
  ]
  const content = { html: page.html.replaceAll('href="@/', `href="${basePath}/docs/`) }
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Whence</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${basePath}/docs/assets/guides.css"></head>
<body><div class="frame"><nav aria-label="Documentation"><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" data-base="${basePath}"><ul id="hits" class="hits" aria-live="polite"></ul>
<details><summary>All pages</summary><ul>${first.map(item)}</ul>${menu}</details></nav><main>${content}</main></div>
<script src="${basePath}/docs/assets/search.js"></script></body></html>`
}

/** Renders text with backticks as code. */
export const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
