/** The documentation at /docs: pages rendered by `npm run generate`, with a menu and a search that runs in the browser. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { type ErrorCode, errorCatalogue } from '../contract/error-catalogue.ts'
import { errorCures } from '../contract/error-cures.ts'
import { type Html, html } from './html.ts'

type Page = {
  slug: string
  title: string
  headings: { id: string; text: string }[]
  html: string
  text: string
}
type Section = { title: string; pages: Page[] }

const sections = JSON.parse(readFileSync(new URL('guides.json', import.meta.url), 'utf8')) as Section[]
const description = new URL('../../../../openapi.json', import.meta.url)
const pages = sections.flatMap((section) => section.pages)

const style = `:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--paper:#fff;--line:#dde3ea;--code:#f4f6f9;--link:#0b5cad}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#9aa5b4;--paper:#12161c;--line:#2b333d;--code:#1b2129;--link:#7db7f5}}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
a{color:var(--link)}.frame{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:76rem;margin:0 auto}
nav{padding:1.5rem 1rem;border-right:1px solid var(--line)}nav h2{font-size:.8rem;color:var(--soft);margin:1.2rem 0 .2rem}
nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.15rem 0;color:inherit;text-decoration:none}nav a[aria-current]{font-weight:600;color:var(--link)}
main{padding:1.5rem 2rem 4rem;max-width:54rem}h1{line-height:1.2}h2{margin-top:2rem}
pre{background:var(--code);padding:1rem;overflow-x:auto;border-radius:6px;font-size:.85rem;line-height:1.45}code{font-family:ui-monospace,monospace;font-size:.9em}
:not(pre)>code{background:var(--code);padding:.1em .3em;border-radius:4px}table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}main{overflow-wrap:break-word}summary{cursor:pointer;font-weight:600;padding:.5rem 0}section:target{background:var(--code);outline:6px solid var(--code)}input{width:100%;font:inherit;padding:.4rem .6rem;border:1px solid var(--soft);border-radius:6px;background:var(--paper);color:inherit}
.hits{list-style:none;padding:0}.hits small{color:var(--soft);display:block}:focus-visible{outline:2px solid var(--link)}
@media(min-width:48.01rem){summary{display:none}}
@media(max-width:48rem){.frame{display:block}nav{border:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`

/** Every word must occur; a title weighs more than a heading, a heading more than the text. */
const searchScript = `document.querySelector('details').open=matchMedia('(min-width:48.01rem)').matches
const box=document.querySelector('#search'),hits=document.querySelector('#hits'),base=box.dataset.base;let pages
const score=(page,words)=>{let sum=0;for(const word of words){const at=(page.title.toLowerCase().includes(word)?8:0)+(page.headings.some(h=>h.text.toLowerCase().includes(word))?4:0)+(page.text.toLowerCase().includes(word)?1:0);if(at===0)return 0;sum+=at}return sum}
const near=(text,word)=>{const at=Math.max(0,text.toLowerCase().indexOf(word)-40);return text.slice(at,at+120)}
box.addEventListener('input',async()=>{pages??=await(await fetch(base+'/docs/search.json')).json();const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean)
const found=words.length===0?[]:pages.map(page=>({page,score:score(page,words)})).filter(one=>one.score>0).sort((a,b)=>b.score-a.score).slice(0,12)
hits.replaceChildren(...found.map(({page})=>{const item=document.createElement('li'),link=document.createElement('a'),text=document.createElement('small');link.href=base+'/docs/'+page.slug;link.textContent=page.title;text.textContent=near(page.text,words[0]);item.append(link,text);return item}))})`

export function mountGuides(
  app: FastifyInstance,
  basePath: string,
  send: (reply: import('fastify').FastifyReply, body: Html) => unknown,
): void {
  app.get('/docs', async (_request, reply) => send(reply, guidePage(basePath, homePage(basePath))))
  for (const page of pages)
    app.get(`/docs/${page.slug}`, async (_request, reply) => send(reply, guidePage(basePath, page)))
  app.get('/docs/errors', async (_request, reply) => send(reply, guidePage(basePath, errorsPage())))
  app.get('/docs/search.json', async (_request, reply) => {
    index ??= searchIndex()
    return reply.header('cache-control', 'public, max-age=3600').send(await index)
  })
  const assets = {
    'guides.css': ['text/css', style],
    'search.js': ['text/javascript', searchScript],
  } as const
  for (const [name, [type, text]] of Object.entries(assets))
    app.get(`/docs/assets/${name}`, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'public, max-age=3600').send(text),
    )
}

type Entry = Omit<Page, 'html'>
let index: Promise<Entry[]> | undefined
type Operation = { operationId: string; summary: string; tags: string[] }

/** Guides, errors and operations; an operation is found by its name, its summary and its path. */
async function searchIndex(): Promise<Entry[]> {
  const guides = pages.map(({ html: _html, ...page }) => page)
  const errors = codes.map((code) => ({
    slug: `errors#${code}`,
    title: code,
    headings: [],
    text: `${errorCatalogue[code].meaning} ${errorCures[code]}`,
  }))
  const { paths } = JSON.parse(await readFile(description, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary, tags }]) => ({
      slug: `reference#/${tags[0]}/${operationId}`,
      title: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      headings: [],
      text: `${summary} (${operationId})`,
    })),
  )
  return [...guides, ...errors, ...operations]
}

const codes = Object.keys(errorCatalogue) as ErrorCode[]

const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))

function errorsPage(): Page {
  const rows = codes.map((code) => {
    const { status, meaning } = errorCatalogue[code]
    return html`<section id="${code}"><h2><a href="#${code}"><code>${code}</code></a> <small>${status}</small></h2><p>${meaning}</p><p><b>What to do:</b> ${withCode(errorCures[code])}</p></section>`
  })
  const body = html`<h1>Errors</h1><p>Every refusal answers <code>{ "error": { code, message, status, request_id, docs_url } }</code>. Branch on <code>code</code>.</p>${rows}`
  return { slug: 'errors', title: 'Errors', headings: [], html: body.html, text: '' }
}

function homePage(basePath: string): Page {
  const lists = sections.map(
    ({ title, pages }) =>
      html`<h2>${title}</h2><ul>${pages.map((page) => html`<li><a href="${basePath}/docs/${page.slug}">${page.title}</a></li>`)}</ul>`,
  )
  const body = html`<h1>Whence documentation</h1><p>Which ad earned which sale. Three ways to begin: as a <a href="${basePath}/docs/start-marketer">marketer</a>, as a <a href="${basePath}/docs/start-partner">partner engineer</a>, as an <a href="${basePath}/docs/start-operator">operator</a>.</p>${lists}`
  return { slug: '', title: 'Documentation', headings: [], html: body.html, text: '' }
}

function guidePage(basePath: string, page: Page): Html {
  const item = (slug: string, title: string) =>
    slug === page.slug
      ? html`<li><a href="${basePath}/docs/${slug}" aria-current="page">${title}</a></li>`
      : html`<li><a href="${basePath}/docs/${slug}">${title}</a></li>`
  const menu = sections.map(
    ({ title, pages }) => html`<h2>${title}</h2><ul>${pages.map((one) => item(one.slug, one.title))}</ul>`,
  )
  const content = { html: page.html.replaceAll('href="@/', `href="${basePath}/docs/`) }
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Whence</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${basePath}/docs/assets/guides.css"></head>
<body><div class="frame"><nav aria-label="Documentation"><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" data-base="${basePath}"><ul id="hits" class="hits" aria-live="polite"></ul>
<details open><summary>All pages</summary><ul>${[item('reference', 'API reference'), item('errors', 'Errors')]}</ul>${menu}</details></nav><main>${content}</main></div>
<script src="${basePath}/docs/assets/search.js"></script></body></html>`
}
