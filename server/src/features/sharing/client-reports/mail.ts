/** The mail of a report, as HTML and as plain text. Pure. */
import { html } from '../../../platform/http/html.ts'
import type { Headline } from './build.ts'
import { type Language, reportTexts } from './words.ts'

export function composeMail(headline: Headline, language: Language, unsubscribeUrl: string) {
  const texts = reportTexts[language]
  const { profileName, days, figures, brandName, color } = headline
  const greeting = texts.greeting(profileName, days)
  const text = [
    greeting,
    figures
      .map(({ label, value, change }) => `${label}: ${value}${change === null ? '' : ` (${change})`}`)
      .join('\n'),
    brandName,
    texts.unsubscribeText(unsubscribeUrl),
  ].join('\n\n')
  const cell = 'padding:12px 16px;border:1px solid #e2e6eb;border-radius:8px'
  const page = html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${texts.title}</title></head>
<body style="margin:0;background:#f4f5f7;font:16px/1.5 Arial,sans-serif;color:#1b2430"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px"><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background:#ffffff;border-top:6px solid ${color}"><tr><td style="padding:28px">
<p style="margin:0 0 4px;color:#5d6877;font-size:14px">${brandName}</p><h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${profileName}</h1><p style="margin:0 0 20px">${greeting}</p>
<table role="presentation" width="100%" cellpadding="0" cellspacing="8">${figures.map(
    ({ label, value, change }) =>
      html`<tr><td style="${cell}"><span style="color:#5d6877;font-size:14px">${label}</span><br><strong style="font-size:20px">${value}</strong>${change === null ? null : html` <span style="color:#5d6877;font-size:14px">${change}</span>`}</td></tr>`,
  )}</table>
<p style="margin:24px 0 0;color:#5d6877;font-size:13px"><a href="${unsubscribeUrl}" style="color:#5d6877">${texts.unsubscribe}</a></p></td></tr></table></td></tr></table></body></html>`
  return { subject: texts.subject(profileName, days), text: `${text}\n`, html: `<!doctype html>${page.html}` }
}
