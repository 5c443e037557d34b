/** Renders a message as a mail and as the JSON of chat webhooks. Pure. */
import { html } from '../../../platform/http/html.ts'
import type { Language } from '../client-reports/words.ts'

/** A line of text, split at its links. */
export type Line = readonly { text: string; url: string | null }[]
export type Message = { title: string; note: string; lines: readonly Line[]; tones: readonly string[] }

/** Line breaks, control characters and changes of the text direction, with which a name could imitate other lines. */
const LAYOUT = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu
/** Chats and mail programs turn addresses into links; names come from platforms and from visitors' links. */
const SCHEME = /[a-z][a-z0-9+.-]{0,20}:\/\//gi

const oneLine = (text: string) => text.replace(LAYOUT, ' ').replace(SCHEME, '')

function withOneLineTexts({ title, note, lines, tones }: Message): Message {
  const parts = (line: Line) => line.map(({ text, url }) => ({ text: oneLine(text), url }))
  return { title: oneLine(title), note: oneLine(note), lines: lines.map(parts), tones }
}

const textOf = (line: Line) => line.map(({ text }) => text).join('')

const mailTexts = {
  en: {
    unsubscribe: 'Stop these mails',
    unsubscribeText: (url: string) => `To stop these mails, open ${url}`,
    open: 'Open Overview',
  },
  es: {
    unsubscribe: 'No recibir más estos correos',
    unsubscribeText: (url: string) => `Para no recibir más estos correos, abra ${url}`,
    open: 'Abrir el resumen',
  },
}

export function toMail(
  message: Message,
  language: Language,
  links: { unsubscribeUrl: string; openUrl: string },
  brand: { name: string; primaryColor: string },
) {
  const { title, note, lines, tones } = withOneLineTexts(message)
  const texts = mailTexts[language]
  const text = [
    title,
    note,
    ...lines.map(textOf),
    `${texts.open}: ${links.openUrl}`,
    brand.name,
    texts.unsubscribeText(links.unsubscribeUrl),
  ].join('\n\n')
  const colors: Record<string, string> = { good: '#0f6b45', bad: '#b0241c' }
  const rows = lines.map(
    (line, index) =>
      html`<tr><td style="padding:8px 0 8px 14px;border-left:3px solid ${colors[tones[index] ?? ''] ?? '#cbcbc5'}">${line.map(
        (part) =>
          part.url === null
            ? html`${part.text}`
            : html`<a href="${part.url}" style="color:#1b2430">${part.text}</a>`,
      )}</td></tr><tr><td style="height:8px;line-height:8px">&nbsp;</td></tr>`,
  )
  const page = html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head>
<body style="margin:0;background:#f4f5f7;font:16px/1.5 Arial,sans-serif;color:#1b2430"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-top:6px solid ${brand.primaryColor}"><tr><td style="padding:28px">
<p style="margin:0 0 4px;color:#5d6877;font-size:14px">${brand.name}</p><h1 style="margin:0 0 4px;font-size:22px;line-height:1.3">${title}</h1><p style="margin:0 0 20px;color:#5d6877;font-size:14px">${note}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0">${rows}</table>
<p style="margin:16px 0 0"><a href="${links.openUrl}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1b2430;color:#ffffff;text-decoration:none">${texts.open}</a></p>
<p style="margin:24px 0 0;color:#5d6877;font-size:13px"><a href="${links.unsubscribeUrl}" style="color:#5d6877">${texts.unsubscribe}</a></p></td></tr></table></td></tr></table></body></html>`
  return { subject: title, text: `${text}\n`, html: `<!doctype html>${page.html}` }
}

/**
 * Slack accepts `{ text }`, in which &, < and > are escaped and a link is `<url|text>`.
 * Source: docs.slack.dev, "Formatting message text", 2026-11-17.
 */
export function toSlack(message: Message): string {
  const { title, note, lines } = withOneLineTexts(message)
  const escapeSlack = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  // A vertical bar would end the address of a link.
  const link = (text: string, url: string) =>
    `<${escapeSlack(url)}|${escapeSlack(text).replaceAll('|', '¦')}>`
  const toText = (line: Line) =>
    line.map(({ text, url }) => (url === null ? escapeSlack(text) : link(text, url))).join('')
  const heading = `*${escapeSlack(title).replaceAll('*', '∗')}*`
  return JSON.stringify({
    text: [heading, escapeSlack(note), ...lines.map((line) => `• ${toText(line)}`)].join('\n'),
  })
}

/**
 * A Teams workflow accepts a message with an Adaptive Card, whose text supports a subset of Markdown.
 * Source: learn.microsoft.com, "Create incoming webhooks with Workflows", 2026-11-17.
 */
export function toTeams(message: Message): string {
  const { title, note, lines } = withOneLineTexts(message)
  const escapeMarkdown = (text: string) => text.replace(/[\\[\]*_#]/g, '\\$&')
  const toText = (line: Line) =>
    line
      .map(({ text, url }) => (url === null ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${url})`))
      .join('')
  const block = (text: string, style: Record<string, unknown> = {}) => ({
    type: 'TextBlock',
    text,
    wrap: true,
    ...style,
  })
  const body = [
    block(escapeMarkdown(title), { weight: 'Bolder', size: 'Medium' }),
    block(escapeMarkdown(note), { isSubtle: true, spacing: 'None' }),
    ...lines.map((line) => block(toText(line))),
  ]
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
  }
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  })
}
