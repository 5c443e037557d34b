/** The report as one HTML file: no scripts, no external resources, readable on a phone and in print. */
import { type Html, html } from '../../../platform/http/html.ts'
import { layoutChart, type Point } from './chart-rules.ts'
import type { ReportFacts } from './facts.ts'
import {
  buildNotes,
  buildTableEnd,
  buildTiles,
  createFormatters,
  creditedChange,
  describeChanges,
  summarizeRemaining,
  type Tile,
} from './figures-rules.ts'
import { campaignHeadings, type Language, modelName, reportTexts } from './words.ts'

export type Brand = {
  name: string
  primaryColor: string
  /** PNG. */
  logo: Buffer | null
  supportEmail: string | null
  websiteUrl: string | null
}

export const reportStyle = (color: string) => `:root{color-scheme:light}
*{box-sizing:border-box}
body{margin:0;font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;background:#f4f5f7;color:#1b2430}
main{max-width:60rem;margin:0 auto;background:#fff;border-top:6px solid ${color};padding:2rem}
header{display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap;margin-bottom:1.5rem}
header img{max-height:44px;max-width:200px}
h1{font-size:1.7rem;line-height:1.2;margin:0}h2{font-size:1.1rem;margin:2rem 0 .6rem}
.quiet{color:#5d6877;font-size:.87rem;margin:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.8rem}
.tile{border:1px solid #e2e6eb;border-radius:10px;padding:.9rem 1rem}
.tile b{display:block;font-size:1.5rem;line-height:1.3}
.good{color:#0b6b3a}.bad{color:#b42318}
svg{width:100%;height:auto;display:block}.line{color:${color}}.dashes{color:#98a2b3}
.scroll{overflow-x:auto}table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.5rem .6rem;text-align:right;border-bottom:1px solid #e8ebef;white-space:nowrap}
th:first-child,td:first-child{text-align:left;min-width:9rem;white-space:normal;overflow-wrap:anywhere}
th{color:#5d6877;font-weight:600}tfoot td{font-weight:600}
footer{margin-top:2rem;border-top:1px solid #e2e6eb;padding-top:1rem}
@media(max-width:600px){main{padding:1.2rem}}
@media print{body{background:#fff}main{padding:0;border-top-width:4px}h2,.tile,tr{break-inside:avoid}}`

const path = (points: readonly Point[]) =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')

export function chart(facts: ReportFacts, language: Language, color: string): Html {
  const { money, shortDay } = createFormatters(language, facts.profile.currency)
  const texts = reportTexts[language]
  const box = { x: 92, y: 12, width: 800, height: 190 }
  const { ticks, labels, revenue, spend } = layoutChart(facts.days, box)
  const rule = (y: number) => html`<path d="M${box.x} ${y}H${box.x + box.width}" stroke="#e8ebef"/>`
  return html`<svg viewBox="0 0 930 240" role="img" aria-label="${texts.trend}" font-size="12" fill="#5d6877">${ticks.map(
    ({ value, y }) =>
      html`${rule(y)}<text x="${box.x - 8}" y="${y + 4}" text-anchor="end">${money(value)}</text>`,
  )}${labels.map(
    ({ date, x }) => html`<text x="${x}" y="222" text-anchor="middle">${shortDay(date)}</text>`,
  )}<path d="${path(spend)}" fill="none" stroke="#98a2b3" stroke-width="2" stroke-dasharray="5 4"/><path d="${path(revenue)}" fill="none" stroke="${color}" stroke-width="2.5"/></svg><p class="quiet"><span class="line">━</span> ${texts.revenue} &nbsp; <span class="dashes">╌</span> ${texts.spend}</p>`
}

export const renderTile = (tile: Tile): Html =>
  html`<div class="tile"><p class="quiet">${tile.label}</p><b>${tile.value}</b><p class="quiet">${
    tile.change === null
      ? null
      : html`<span class="${tile.isGood === null ? '' : tile.isGood ? 'good' : 'bad'}">${tile.change}</span> · `
  }${tile.before}</p></div>`

/** Campaigns after the first `limit` are summed into one row. */
export function table(facts: ReportFacts, language: Language, limit = Number.POSITIVE_INFINITY): Html {
  const texts = reportTexts[language]
  const { money, count, ratio, amount } = createFormatters(language, facts.profile.currency)
  const { campaigns } = facts.now
  const end = buildTableEnd(facts, language, facts.profile.currency)
  const remaining = summarizeRemaining(facts, language, limit)
  const cells = (values: readonly string[]) => values.map((value) => html`<td>${value}</td>`)
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${texts.campaigns}"><table><thead><tr>${campaignHeadings(texts).map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${campaigns
    .slice(0, limit)
    .map(
      (line) =>
        html`<tr>${cells([
          line.name,
          money(line.spend),
          money(line.credited),
          creditedChange(facts, line, language)?.text ?? '–',
          count(line.payments),
          ratio(line.roas),
          amount(line.cac),
        ])}</tr>`,
    )}${remaining === null ? null : html`<tr>${cells([remaining.label, money(remaining.spend), money(remaining.credited), '', '', '', ''])}</tr>`}<tr>${cells(end.allCampaigns)}</tr><tr>${cells(end.unattributed)}</tr></tbody><tfoot><tr>${cells(end.total)}</tr></tfoot></table></div>`
}

export const list = (lines: readonly string[]): Html =>
  html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`

export const logo = (brand: Brand): Html =>
  brand.logo === null
    ? html`<strong>${brand.name}</strong>`
    : html`<img src="data:image/png;base64,${brand.logo.toString('base64')}" alt="${brand.name}">`

export const footer = (brand: Brand): Html =>
  html`<footer class="quiet">${[brand.name, brand.supportEmail, brand.websiteUrl].filter((part) => part !== null).join(' · ')}</footer>`

export function renderHtml(facts: ReportFacts, brand: Brand, language: Language): Buffer {
  const texts = reportTexts[language]
  const figures = createFormatters(language, facts.profile.currency)
  const model = modelName(language, facts.model)
  const changes = describeChanges(facts, language)
  const notes = buildNotes(facts, language, model)
  const page = html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${texts.title}: ${facts.profile.name}</title><style>${{ html: reportStyle(brand.primaryColor) }}</style></head>
<body><main><header><div><h1>${facts.profile.name}</h1><p class="quiet">${texts.title} · ${figures.days(facts.now.days)}</p><p class="quiet">${texts.comparedWith(figures.days(facts.before.days))} · ${texts.model(model)}</p></div><div>${logo(brand)}</div></header>
<section class="tiles">${buildTiles(facts, language).map(renderTile)}</section>
<h2>${texts.trend}</h2>${chart(facts, language, brand.primaryColor)}
<h2>${texts.changes}</h2>${list(changes.length === 0 ? [texts.noChanges] : changes)}
<h2>${texts.campaigns}</h2>${table(facts, language)}
<h2>${texts.reconciliation}</h2>${list(notes.sum)}
<h2>${texts.reading}</h2>${list(notes.reading)}
${footer(brand)}</main></body></html>`
  return Buffer.from(`<!doctype html>${page.html}`)
}
