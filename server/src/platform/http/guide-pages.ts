/**
 * The documentation at /docs: guides rendered by `npm run generate`, errors, the reference, and an index for the
 * search.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCatalogue } from '../contract/error-catalogue.ts'
import { errorCures } from '../contract/error-cures.ts'
import { changelogPage } from './changelog-page.ts'
import { type DocsPage, docsLayout, sections, style, withCode } from './docs-layout.ts'
import { packDocsPage, sendDocsPage } from './docs-page.ts'
import { type SearchEntry, searchScript } from './docs-search.ts'
import { html } from './html.ts'
import { pack, packOnce, sendPacked } from './packed-file.ts'
import { mountReference, referenceEntries } from './reference-pages.ts'

const pages = [...sections.flatMap((section) => section.pages), changelogPage()]

export function mountGuides(app: FastifyInstance, basePath: string): void {
  const mountPage = (path: string, page: DocsPage) => {
    const packed = packOnce(() => packDocsPage(docsLayout(basePath, page)))
    app.get(path, async (request, reply) => sendDocsPage(request, reply, await packed()))
  }
  for (const path of ['/docs', '/docs/']) mountPage(path, homePage())
  const missingPacked = packOnce(() => packDocsPage(docsLayout(basePath, missingPage)))
  const missing = async (request: FastifyRequest, reply: FastifyReply) => {
    if (wantsJson(request)) return reply.callNotFound()
    reply.code(404).headers({ 'cache-control': 'no-store', vary: 'accept' })
    return sendDocsPage(request, reply, await missingPacked())
  }
  app.get('/docs/*', async (request, reply) => missing(request, reply))
  for (const page of [...pages, errorsPage()]) mountPage(`/docs/${page.slug}`, page)
  mountReference(app, basePath, missing)
  const index = packOnce(async () => pack(JSON.stringify(await searchIndex())))
  app.get('/docs/search.json', async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=3600')
    return sendPacked(request, reply, await index())
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

/** Programs accept JSON and not HTML. A wildcard is a person at a terminal, who gets the page. */
const wantsJson = ({ headers: { accept = '' } }: FastifyRequest) =>
  accept.includes('json') && !accept.includes('text/html')

/** Guides, errors, operations and webhook events. */
async function searchIndex(): Promise<SearchEntry[]> {
  const guides = pages.map(({ html: _html, ...page }) => ({ kind: 'guide' as const, ...page }))
  const errors = codes.map((code) => ({
    kind: 'error' as const,
    slug: `errors#${code}`,
    title: code,
    headings: [],
    text: `${errorCatalogue[code].meaning} ${errorCures[code]}`,
  }))
  return [...guides, ...errors, ...(await referenceEntries())]
}

const codes = Object.keys(errorCatalogue) as ErrorCode[]

function errorsPage(): DocsPage {
  const rows = codes.map((code) => {
    const { status, meaning } = errorCatalogue[code]
    return html`<section id="${code}"><h2><a href="#${code}"><code>${code}</code></a> <small>${status}</small></h2><p>${meaning}</p><p><b>What to do:</b> ${withCode(errorCures[code])}</p></section>`
  })
  const body = html`<h1>Errors</h1><p>Every error response is <code>{ "error": { code, message, status, request_id, docs_url } }</code>. Branch on <code>code</code>.</p>${rows}`
  return { slug: 'errors', title: 'Errors', headings: [], html: body.html, text: '' }
}

function homePage(): DocsPage {
  const lists = sections.map(
    ({ title, pages }) =>
      html`<h2>${title}</h2><ul>${pages.map((page) => html`<li><a href="@/${page.slug}">${page.title}</a></li>`)}</ul>`,
  )
  const body = html`<h1>Whence documentation</h1><p>Which ad earned which sale. Three ways to start: as a <a href="@/start-marketer">marketer</a>, as a <a href="@/start-partner">partner engineer</a>, as an <a href="@/start-operator">operator</a>. All requests and responses are in the <a href="@/reference">API reference</a>.</p>${lists}`
  return { slug: '', title: 'Documentation', headings: [], html: body.html, text: '' }
}

const missingPage: DocsPage = {
  slug: '404',
  title: 'Page not found',
  headings: [],
  html: html`<h1>Page not found</h1><p>The documentation has no page at this address. Search for it, or start at the <a href="@/">list of all guides</a> or the <a href="@/reference">API reference</a>.</p>`
    .html,
  text: '',
}
