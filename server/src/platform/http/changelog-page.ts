/** CHANGELOG.md as a page of /docs. Rendered at run time, because a release changes it without generating files. */
import { readFileSync } from 'node:fs'
import type { DocsPage } from './docs-layout.ts'
import { type Html, html } from './html.ts'

const file = new URL('../../../../CHANGELOG.md', import.meta.url)

/** Supports the Markdown used in that file: headings of two levels, lists, paragraphs, code, bold text and links. */
export function changelogPage(markdown = readFileSync(file, 'utf8')): DocsPage {
  const lines = markdown.split('\n').filter((line) => line.trim() !== '')
  const releases = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3))
  const body = lines.map(
    (line, index) =>
      block(line, {
        isFirst: !lines[index - 1]?.startsWith('- '),
        isLast: !lines[index + 1]?.startsWith('- '),
      }).html,
  )
  return {
    slug: 'changelog',
    title: 'Changelog',
    headings: releases.map((text) => ({ id: idOf(text), text })),
    html: body.join('\n'),
    text: lines.join(' ').replace(/[`*#]/g, '').slice(0, 6000),
  }
}

const idOf = (release: string) => release.split(' ')[0]!

function block(line: string, item: { isFirst: boolean; isLast: boolean }): Html {
  if (line.startsWith('# ')) return html`<h1>${inline(line.slice(2))}</h1>`
  if (line.startsWith('## ')) return html`<h2 id="${idOf(line.slice(3))}">${inline(line.slice(3))}</h2>`
  if (!line.startsWith('- ')) return html`<p>${inline(line)}</p>`
  const text = html`<li>${inline(line.slice(2))}</li>`
  return { html: `${item.isFirst ? '<ul>' : ''}${text.html}${item.isLast ? '</ul>' : ''}` }
}

/** Links point to repository files, so only their text is rendered. */
function inline(text: string): Html[] {
  return text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) => {
      if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`
      if (part.startsWith('**')) return html`<b>${part.slice(2, -2)}</b>`
      return html`${part}`
    })
}
