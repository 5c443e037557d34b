/** The page of a live link: no scripts, no external resources, not indexed. Light theme only, because logos are designed for paper. */
import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/http/html.ts'
import { shareHeaders } from '../../advice/top-performers/share-page.ts'
import type { ReportFacts } from '../client-reports/facts.ts'
import { buildNotes, buildTiles, createFormatters, describeChanges } from '../client-reports/figures-rules.ts'
import {
  type Brand,
  chart,
  footer,
  list,
  logo,
  renderTile,
  reportStyle,
  table,
} from '../client-reports/render-html.ts'
import { type Language, modelName, reportTexts } from '../client-reports/words.ts'
import { LivePeriod, type LiveReport } from './contract.ts'
import { inkOn } from './rules.ts'
import { liveWords } from './words.ts'

const MAX_CAMPAIGNS = 50

export type ChannelLine = {
  channel: string
  revenue: number | null
  payments: number
  spend: number | null
  roas: number | null
}
type Theme = { brand: Brand; language: Language }

const styleOf = (color: string) => `${reportStyle(color)}
h1{overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 1.5rem}
nav a{padding:.45rem .9rem;border:1px solid #c9d0d9;border-radius:99px;color:#1b2430;text-decoration:none;font-size:.9rem}
nav a[aria-current]{background:${color};border-color:${color};color:${inkOn(color)};font-weight:600}
.chart{overflow-x:auto}.chart svg{min-width:36rem}
.bar{display:inline-block;width:6rem;height:.5rem;margin-right:.6rem;background:#eef1f4}
.share{display:inline-block;min-width:3.6rem}
@media(max-width:600px){.tiles{grid-template-columns:1fr 1fr;gap:.6rem}.tile{padding:.7rem .8rem}.tile b{font-size:1.2rem;overflow-wrap:anywhere}}
label{display:block;font-weight:600}
input{display:block;width:100%;max-width:22rem;min-height:2.75rem;padding:.5rem .75rem;font:inherit;margin:.35rem 0 1rem;border:1px solid #808b9a;border-radius:8px}
button{min-height:2.75rem;padding:.5rem 1.5rem;border:0;border-radius:8px;font:inherit;font-weight:600;background:${color};color:${inkOn(color)};cursor:pointer}
:focus-visible{outline:3px solid #1b2430;outline-offset:2px}
[role=alert]{border-left:4px solid #b42318;padding-left:.75rem}
@media print{nav{display:none}}`

/** The style contains the agency's colour, so its CSP hash is computed per response. */
export function headersFor(brand: Brand): Record<string, string> {
  const hash = createHash('sha256').update(styleOf(brand.primaryColor)).digest('base64')
  return {
    ...shareHeaders,
    'content-security-policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

const shell = ({ brand, language }: Theme, title: string, body: Html): Html =>
  html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${{ html: styleOf(brand.primaryColor) }}</style></head>
<body><main>${body}${footer(brand)}</main></body></html>`

export function passwordPage(theme: Theme, problem: string | null): Html {
  const texts = liveWords[theme.language]
  return shell(
    theme,
    texts.passwordTitle,
    html`<header><h1>${texts.passwordTitle}</h1><div>${logo(theme.brand)}</div></header>${problem === null ? null : html`<p role="alert">${problem}</p>`}<form method="post"><label>${texts.password} <input type="password" name="password" autocomplete="off" required autofocus></label><button>${texts.open}</button></form>`,
  )
}

export function busyPage(theme: Theme): Html {
  const texts = liveWords[theme.language]
  return shell(theme, texts.busyTitle, html`<h1>${texts.busyTitle}</h1><p>${texts.busy}</p>`)
}

export function livePage(
  theme: Theme,
  link: { name: string; period: LivePeriod; reports: readonly LiveReport[]; expiresAt: Date; now: Date },
  facts: ReportFacts,
  channels: readonly ChannelLine[],
): Html {
  const { brand, language } = theme
  const texts = reportTexts[language]
  const liveTexts = liveWords[language]
  const figures = createFormatters(language, facts.profile.currency)
  const notes = buildNotes(facts, language, modelName(language, facts.model))
  const parts: Record<LiveReport, () => Html> = {
    summary: () => html`<section class="tiles">${buildTiles(facts, language).map(renderTile)}</section>`,
    trend: () =>
      html`<h2>${texts.trend}</h2><div class="chart" tabindex="0" role="group" aria-label="${texts.trend}">${chart(facts, language, brand.primaryColor)}</div>`,
    changes: () => {
      const changes = describeChanges(facts, language)
      return html`<h2>${texts.changes}</h2>${list(changes.length === 0 ? [texts.noChanges] : changes)}`
    },
    campaigns: () =>
      html`<h2>${texts.campaigns}</h2>${table(facts, language, MAX_CAMPAIGNS)}<h2>${texts.reconciliation}</h2>${list(notes.sum)}`,
    channels: () => html`<h2>${liveTexts.channels}</h2>${channelTable(theme, facts, channels)}`,
  }
  const when = new Intl.DateTimeFormat(language === 'es' ? 'es-ES' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: facts.profile.timezone,
  }).format(link.now)
  const choices = LivePeriod.options.map((period) =>
    period === link.period
      ? html`<a href="?period=${period}" aria-current="page">${liveTexts.periods[period]}</a>`
      : html`<a href="?period=${period}">${liveTexts.periods[period]}</a>`,
  )
  return shell(
    theme,
    link.name,
    html`<header><div><h1>${link.name}</h1><p class="quiet">${figures.days(facts.now.days)} · ${texts.comparedWith(figures.days(facts.before.days))}</p><p class="quiet">${liveTexts.live}, ${liveTexts.updated(when)} · ${texts.model(modelName(language, facts.model))}</p></div><div>${logo(brand)}</div></header>
<nav aria-label="${liveTexts.period}">${choices}</nav>
${link.reports.map((report) => parts[report]())}
<h2>${texts.reading}</h2>${list([...notes.reading, liveTexts.until(figures.day(link.expiresAt.toISOString().slice(0, 10)))])}`,
  )
}

const channelName = ({ language }: Theme, channel: string) =>
  liveWords[language].channelNames[channel] ?? channel

/** Bar relative to the largest channel. Hidden from screen readers, because the cell's text has the figure. */
const bar = (theme: Theme, fraction: number) =>
  html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(fraction * 100)}" height="8" fill="${theme.brand.primaryColor}"/></svg>`

function channelTable(theme: Theme, facts: ReportFacts, channels: readonly ChannelLine[]): Html {
  const texts = reportTexts[theme.language]
  const liveTexts = liveWords[theme.language]
  const { money, count, ratio, share } = createFormatters(theme.language, facts.profile.currency)
  const all = facts.now.totals.revenue
  const heads = [
    liveTexts.channel,
    texts.revenue,
    liveTexts.share,
    texts.payments,
    texts.spend,
    texts.roasShort,
  ]
  const largest = Math.max(1, ...channels.map(({ revenue }) => revenue ?? 0))
  const cells = (values: readonly (string | Html)[]) => values.map((value) => html`<td>${value}</td>`)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${liveTexts.channels}"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${channels.map(
    (line) =>
      html`<tr>${cells([
        channelName(theme, line.channel),
        money(line.revenue),
        html`${bar(theme, Math.max(0, line.revenue ?? 0) / largest)}<span class="share">${share(line.revenue, all)}</span>`,
        count(line.payments),
        line.spend === 0 ? '' : money(line.spend),
        line.spend === 0 ? '' : ratio(line.roas),
      ])}</tr>`,
  )}</tbody><tfoot><tr>${cells([texts.total, money(all), '', count(facts.now.totals.payments), money(facts.now.totals.spend), ratio(facts.now.totals.totalRoas)])}</tr></tfoot></table></div>`
}
