/** Renders the pages of /docs from the Markdown of the repository. */
import { readFile } from 'node:fs/promises'
import { Marked } from 'marked'

/** In the order of the menu; a page's id is its file name. */
const sections: readonly { title: string; pages: readonly string[] }[] = [
  {
    title: 'Start',
    pages: [
      'docs/guides/start-marketer.md',
      'docs/guides/start-partner.md',
      'docs/guides/start-operator.md',
      'docs/guides/sandbox.md',
    ],
  },
  {
    title: 'Guides',
    pages: [
      'docs/guides/tracking.md',
      'docs/guides/events.md',
      'docs/guides/senders.md',
      'docs/guides/identity.md',
      'docs/guides/offline.md',
      'docs/guides/models.md',
      'docs/guides/channels.md',
      'docs/guides/reconciliation.md',
      'docs/guides/connections.md',
      'docs/guides/webhooks.md',
      'docs/guides/alerts.md',
      'docs/guides/exports.md',
      'docs/guides/data-exports.md',
      'docs/guides/privacy.md',
      'docs/guides/assistants.md',
      'docs/guides/troubleshooting.md',
    ],
  },
  {
    title: 'More',
    pages: [
      'sdk/README.md',
      'sdk-python/README.md',
      'docs/tracker.md',
      'docs/operating.md',
      'docs/scale.md',
      'docs/glossary.md',
    ],
  },
]

function slugOf(file: string): string {
  if (file.endsWith('sdk/README.md')) return 'sdk'
  if (file.endsWith('sdk-python/README.md')) return 'python'
  if (file.endsWith('openapi.json')) return 'reference'
  return file.split('/').at(-1)!.replace(/\.md$/, '').toLowerCase()
}

type Heading = { id: string; text: string }

/** `conventions`: the description of openapi.json. */
export async function guides(root: URL, conventions: string): Promise<string> {
  const slugs = new Set(sections.flatMap(({ pages }) => pages.map(slugOf)))
  const rendered = await Promise.all(
    sections.map(async ({ title, pages }) => ({
      title,
      pages: await Promise.all(
        pages.map(async (file) => toPage(slugOf(file), await readFile(new URL(file, root), 'utf8'), slugs)),
      ),
    })),
  )
  const page = toPage('conventions', `# Conventions of the API\n\n${conventions}`, slugs)
  return `${JSON.stringify([...rendered, { title: 'API', pages: [page] }], null, 1)}\n`
}

function toPage(slug: string, markdown: string, slugs: ReadonlySet<string>) {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = text
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .trim()
          .replaceAll(' ', '-')
        if (depth > 1) headings.push({ id, text: plain(text) })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = linkTarget(href, slugs)
        return target === undefined ? text : `<a href="${target}">${text}</a>`
      },
      image: ({ text }) => text,
      html: ({ text }) => (text.startsWith('<!--') ? '' : escapeHtml(text)),
    },
  })
  const html = marked.parse(markdown) as string
  const title = plain(/^# (.+)$/m.exec(markdown)![1]!)
  return { slug, title, headings, html, text: plain(html).slice(0, 40_000) }
}

/** `@/` is the root of the documentation; files that are not pages are not linked. */
function linkTarget(href: string, slugs: ReadonlySet<string>): string | undefined {
  if (/^https?:|^#/.test(href)) return href
  const [path, anchor] = href.split('#')
  const slug = slugOf(path!)
  return slugs.has(slug) || slug === 'reference'
    ? `@/${slug}${anchor === undefined ? '' : `#${anchor}`}`
    : undefined
}

const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
