/**
 * The API reference at /docs/reference: openapi.json as pages, one per operation and webhook event, rendered on the
 * first request. They work without scripts, and a page takes some kilobytes, whereas a viewer of the whole file
 * takes megabytes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DocsPage, docsLayout, type MenuItem, withCode } from './docs-layout.ts'
import { packDocsPage, sendDocsPage } from './docs-page.ts'
import type { SearchEntry } from './docs-search.ts'
import { type Html, html } from './html.ts'
import type { Packed } from './packed-file.ts'
import { EVENTS, type Operation, type Reference, readReference, type Tag } from './reference-document.ts'
import { curlOf, sdkCallOf } from './reference-request.ts'
import { fieldTable, schemaTable } from './reference-schema.ts'

export function mountReference(
  app: FastifyInstance,
  basePath: string,
  missing: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  const pages = new Map<string, Promise<Packed>>()
  const answer = async (request: FastifyRequest, reply: FastifyReply, tag?: string, operation?: string) => {
    const slug = ['reference', tag, operation].filter((part) => part !== undefined).join('/')
    let page = pages.get(slug)
    if (page === undefined) {
      const content = render(await readReference(), basePath, tag, operation)
      if (content === undefined) return missing(request, reply)
      page = packDocsPage(content)
      pages.set(slug, page)
    }
    return sendDocsPage(request, reply, await page)
  }
  for (const path of ['/docs/reference', '/docs/reference/:tag', '/docs/reference/:tag/:operation'])
    app.get<{ Params: { tag?: string; operation?: string } }>(path, async (request, reply) =>
      answer(request, reply, request.params.tag, request.params.operation),
    )
}

/** Search entries: operations match by name, summary and path. */
export async function referenceEntries(): Promise<SearchEntry[]> {
  const { tags } = await readReference()
  return tags.flatMap(({ operations }) =>
    operations.map((operation) => ({
      kind: 'reference' as const,
      slug: operation.slug,
      title: titleOf(operation),
      headings: [],
      text:
        operation.tag === EVENTS ? operation.description : `${operation.summary} (${operation.operationId})`,
    })),
  )
}

/** Undefined if there is no such tag or operation. */
function render(
  reference: Reference,
  basePath: string,
  tagName: string | undefined,
  operationId: string | undefined,
): Html | undefined {
  if (tagName === undefined) return docsLayout(basePath, indexPage(reference, basePath), menuOf(reference))
  const tag = reference.tags.find(({ name }) => name === tagName)
  if (tag === undefined) return undefined
  if (operationId === undefined) return docsLayout(basePath, tagPage(tag), menuOf(reference, tag))
  const operation = tag.operations.find((candidate) => candidate.operationId === operationId)
  if (operation === undefined) return undefined
  return docsLayout(basePath, operationPage(reference, operation), menuOf(reference, tag))
}

const isEvent = ({ tag }: Operation) => tag === EVENTS
const shortPath = (path: string) => path.replace('/api/v1', '')
const titleOf = (operation: Operation) =>
  isEvent(operation) ? operation.operationId : `${operation.method} ${shortPath(operation.path)}`

/** The operations of the open tag, otherwise all tags. */
function menuOf({ tags }: Reference, open?: Tag): MenuItem[] {
  return (open === undefined ? tags : [open]).map((tag) => ({
    slug: `reference/${tag.name}`,
    title: tag.name,
    items:
      tag === open
        ? tag.operations.map((operation) => ({ slug: operation.slug, title: operation.operationId }))
        : [],
  }))
}

const toPage = (slug: string, title: string, body: Html): DocsPage => ({
  slug,
  title,
  headings: [],
  html: body.html,
  text: '',
})

function indexPage({ tags }: Reference, basePath: string): DocsPage {
  const count = tags.reduce((sum, { name, operations }) => sum + (name === EVENTS ? 0 : operations.length), 0)
  const body = html`<h1>API reference</h1>
<p>${count} operations below <code>/api/v1</code>, by subject. <a href="@/conventions">Conventions</a> covers common topics: credentials, OAuth, pages, rate limits, webhooks. <a href="@/errors">Errors</a> lists every code. <a href="@/sdk">The SDK</a> has a function per operation.</p>
<p>Machine-readable: <a href="${basePath}/openapi.json" download>download openapi.json</a>.</p>
${tags.map((tag) => html`<h2 id="${tag.name}"><a href="@/reference/${tag.name}">${tag.name}</a></h2><p>${withCode(tag.description)}</p>${operationList(tag)}`)}`
  return toPage('reference', 'API reference', body)
}

function tagPage(tag: Tag): DocsPage {
  const body = html`<p class="soft"><a href="@/reference">API reference</a></p><h1>${tag.name}</h1><p>${withCode(tag.description)}</p>${operationList(tag)}`
  return toPage(`reference/${tag.name}`, tag.name, body)
}

/** The ids keep anchors of earlier releases working. */
function operationList({ operations }: Tag): Html {
  const items = operations.map((operation) =>
    isEvent(operation)
      ? html`<li><a href="@/${operation.slug}"><code>${operation.operationId}</code></a><p>${withCode(firstSentence(operation.description))}</p></li>`
      : html`<li id="/${operation.tag}/${operation.operationId}"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span><a href="@/${operation.slug}"><code>${shortPath(operation.path)}</code></a><p>${operation.summary}</p></li>`,
  )
  return html`<ul class="routes">${items}</ul>`
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text

function operationPage(reference: Reference, operation: Operation): DocsPage {
  const { method, path, tag, slug, description } = operation
  const route = isEvent(operation)
    ? null
    : html`<p class="route"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></p>`
  const body = html`<p class="soft"><a href="@/reference">API reference</a> / <a href="@/reference/${tag}">${tag}</a></p>
<h1>${operation.summary}</h1>${route}${operation.deprecated ? html`<p class="mark">Retired: requests are rejected.</p>` : null}
${description.split('\n\n').map((text) => html`<p>${withCode(text)}</p>`)}
${parametersOf(reference, operation)}${bodyOf(reference, operation)}${isEvent(operation) ? exampleOf(operation) : requestOf(operation)}${answersOf(reference, operation)}${refusalsOf(operation)}`
  return toPage(slug, isEvent(operation) ? operation.operationId : operation.summary, body)
}

function parametersOf(reference: Reference, { parameters, ...operation }: Operation): Html | null {
  if (parameters.length === 0) return null
  const fields = parameters.map(({ name, in: location, schema, required = false, description }) => ({
    path: name,
    schema: { ...schema, ...(description === undefined ? {} : { description }) },
    isRequired: required,
    marks: [location === 'path' ? 'in the path' : location === 'header' ? 'a header' : 'in the query'],
  }))
  return html`<h2 id="parameters">${operation.tag === EVENTS ? 'Headers' : 'Parameters'}</h2>${fieldTable(reference, fields, operation.tag === EVENTS ? 'answer' : 'request')}`
}

function bodyOf(reference: Reference, { requestBody, tag }: Operation): Html | null {
  if (requestBody === undefined) return null
  const parts = Object.entries(requestBody.content).map(
    ([type, { schema }]) =>
      html`<p class="soft"><code>${type}</code></p>${schemaTable(reference, schema, tag === EVENTS ? 'answer' : 'request')}`,
  )
  return html`<h2 id="body">${tag === EVENTS ? 'Payload' : 'Request body'}</h2>${parts}`
}

const json = (value: unknown) => html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`

const exampleOf = ({ requestBody }: Operation) =>
  html`<h2 id="example">Example</h2>${json(requestBody!.content['application/json']!.example)}`

function requestOf(operation: Operation): Html {
  const call = sdkCallOf(operation)
  return html`<h2 id="request">Request</h2><pre><code class="language-sh">${curlOf(operation)}</code></pre>${
    call === undefined
      ? null
      : html`<details><summary>With the SDK</summary><pre><code class="language-ts">${call}</code></pre></details>`
  }`
}

function answersOf(reference: Reference, operation: Operation): Html[] {
  if (isEvent(operation)) return []
  return operation.answers.map(({ status, description, content }) => {
    const stored = content['application/json']
    const fileTypes = Object.keys(content).filter((type) => type !== 'application/json')
    return html`<h2 id="answer-${status}">Answer ${status}</h2><p>${description}.${fileTypes.map((type) => html` A file: <code>${type}</code>.`)}</p>${
      stored === undefined
        ? null
        : html`${json(stored.example)}${schemaTable(reference, stored.schema, 'answer')}`
    }`
  })
}

function refusalsOf(operation: Operation): Html | null {
  if (isEvent(operation)) return null
  const rows = operation.refusals.map(
    ({ status, codes }) =>
      html`<tr><td>${status}</td><td>${codes.map((code) => html`<a href="@/errors#${code}"><code>${code}</code></a> `)}</td></tr>`,
  )
  return html`<h2 id="errors">Errors</h2><table class="errors"><tbody>${rows}</tbody></table>`
}
