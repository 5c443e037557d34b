/** The page behind a shared link: no scripts, no external resources, not indexed, no referrer. */
import { createHash } from 'node:crypto'
import { type Html, html } from '../../../platform/http/html.ts'
import type { WorkspaceTopPerformerRow } from './contract.ts'

const style = `:root{color-scheme:light dark}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{box-sizing:border-box;max-width:60rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
p{margin:0 0 1rem}
ol{list-style:none;margin:0;padding:0;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr))}
li{border:1px solid color-mix(in srgb,CanvasText 20%,transparent);border-radius:.75rem;overflow:hidden}
img,.none{display:block;width:100%;aspect-ratio:8/7;object-fit:cover;background:color-mix(in srgb,CanvasText 8%,Canvas)}
.about{padding:.75rem 1rem}
h2{font-size:1rem;margin:0 0 .25rem;overflow-wrap:anywhere}
.score{font-size:1.5rem;font-weight:700}
.quiet{color:color-mix(in srgb,CanvasText 70%,Canvas);font-size:.875rem}
input{display:block;box-sizing:border-box;width:100%;max-width:20rem;min-height:2.75rem;padding:.5rem;font:inherit;margin:.25rem 0 1rem;border:1px solid GrayText;border-radius:.375rem;background:Field;color:FieldText}
button{min-height:2.75rem;padding:.5rem 1.25rem;border:0;border-radius:.5rem;font:inherit;font-weight:600;background:#1d4ed8;color:#fff;cursor:pointer}
:focus-visible{outline:3px solid CanvasText;outline-offset:2px}
[role=alert]{border-left:4px solid #b91c1c;padding-left:.75rem}`
const styleHash = createHash('sha256').update(style).digest('base64')

export const shareHeaders: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
}

export const shell = (title: string, body: Html): Html =>
  html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${{ html: style }}</style></head>
<body><main><h1>${title}</h1>${body}</main></body></html>`

/** The same page for every invalid link, so that it does not reveal whether the link ever existed. */
export const missingPage = (): Html =>
  shell(
    'This link is not available',
    html`<p>It was revoked, has expired, or never existed. Ask the person who sent it for a new one.</p>`,
  )

export const passwordPage = (problem: string | null): Html =>
  shell(
    'Password required',
    html`${problem === null ? null : html`<p role="alert">${problem}</p>`}<form method="post"><label>Password <input type="password" name="password" autocomplete="off" required autofocus></label><button>Open</button></form>`,
  )

const windowWords: Record<string, string> = {
  '7d': 'the last 7 days',
  '14d': 'the last 14 days',
  '28d': 'the last 28 days',
  lifetime: 'their lifetime',
}
const stageWords: Record<string, string> = {
  cold: 'too little data',
  early: 'early data',
  mature: 'well tested',
  calibrated: 'well tested, with a prediction',
}

export function snapshotPage(snapshot: {
  name: string
  window: string
  capturedAt: Date
  asOf: string | null
  ads: readonly WorkspaceTopPerformerRow[]
}): Html {
  const { name, window, capturedAt, asOf, ads } = snapshot
  return shell(
    name,
    html`<p class="quiet">Ads by score over ${windowWords[window] ?? window} up to ${asOf ?? 'no day yet'}, captured on ${capturedAt.toISOString().slice(0, 10)}. These figures do not change.</p>
${ads.length === 0 ? html`<p>Nothing was scored when this was captured.</p>` : html`<ol>${ads.map(card)}</ol>`}`,
  )
}

function card(ad: WorkspaceTopPerformerRow): Html {
  const money = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: ad.currency,
    maximumFractionDigits: 0,
  })
  return html`<li>${
    ad.creative_thumbnail_url === null
      ? html`<div class="none"></div>`
      : html`<img src="${new URL(ad.creative_thumbnail_url).pathname}" alt="" loading="lazy">`
  }<div class="about"><h2>${ad.ad_name ?? ad.ad_external_id}</h2><p class="score">${ad.composite_score === null ? 'not scored' : Math.round(ad.composite_score)}</p><p class="quiet">${stageWords[ad.maturity_stage] ?? ad.maturity_stage} · spent ${money.format(ad.spend)} · earned ${money.format(ad.attributed_revenue)}</p><p class="quiet">${ad.campaign_name}</p></div></li>`
}
