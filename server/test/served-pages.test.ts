/**
 * Pages and mails that the service renders, with names of a hostile tenant, app or provider: no value
 * becomes an element, an attribute, a style or a script.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import * as oauth from '../src/features/account/oauth/page.ts'
import { snapshotPage } from '../src/features/advice/top-performers/share-page.ts'
import type { ReportFacts } from '../src/features/sharing/client-reports/facts.ts'
import { liveReports } from '../src/features/sharing/live-links/contract.ts'
import { livePage, passwordPage } from '../src/features/sharing/live-links/page.ts'
import { questionPage } from '../src/features/sources/declared-sources/page.ts'
import * as handoffs from '../src/features/sources/handoffs/page.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type Template = { texts: string[]; values: string[] }

/** Every `html` template of a file: its values and the texts around them. */
function templatesIn(path: string): Template[] {
  const source = readFileSync(`${root}${path}`, 'utf8')
  const templates: Template[] = []
  JSON.stringify(parseSync(path, source).program, (_name, value) => {
    if (value?.type === 'TaggedTemplateExpression' && value.tag.name === 'html')
      templates.push({
        texts: value.quasi.quasis.map((quasi: { value: { cooked: string } }) => quasi.value.cooked),
        values: value.quasi.expressions.map((expression: { start: number; end: number }) =>
          source.slice(expression.start, expression.end),
        ),
      })
    return typeof value === 'bigint' ? null : value
  })
  return templates
}

/** The syntactic position of the next value, from the text before it. */
function placeAfter(text: string): string {
  const open = text.lastIndexOf('<')
  if (text.lastIndexOf('<style>') > text.lastIndexOf('</style>')) return 'style'
  if (text.lastIndexOf('<script') > text.lastIndexOf('</script>')) return 'script'
  if (open <= text.lastIndexOf('>')) return 'text'
  const tag = text.slice(open)
  if (tag.split('"').length % 2 === 1) return 'tag'
  return /([\w-]+)="[^"]*$/.exec(tag)![1]!
}

it('values are in text or in quoted attributes; styles are constants, and URLs are our own', async () => {
  const special = new Set<string>()
  let count = 0
  for await (const path of glob('server/src/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$/.test(path) || !readFileSync(`${root}${path}`, 'utf8').includes('html`')) continue
    for (const { texts, values } of templatesIn(path))
      values.forEach((value, index) => {
        count += 1
        const place = placeAfter(texts.slice(0, index + 1).join('…'))
        if (/^(style|script|tag|href|src|srcset|action|formaction|on.*)$/.test(place))
          special.add(`${path.replace(/^server\/src\/(features|platform)\//, '')} ${place}: ${value}`)
      })
  }
  // Each was reviewed: constants, our own URLs, colours that branding validates, a file in base64.
  expect([...special].sort()).toMatchInlineSnapshot(`
    [
      "account/oauth/page.ts action: action",
      "account/oauth/page.ts action: subject.action",
      "account/oauth/page.ts style: { html: style }",
      "account/oauth/page.ts tag: only ? 'checked' : ''",
      "advice/top-performers/share-page.ts src: new URL(ad.creative_thumbnail_url).pathname",
      "advice/top-performers/share-page.ts style: { html: style }",
      "http/docs-layout.ts href: basePath",
      "http/docs-layout.ts href: slug",
      "http/docs-layout.ts script: basePath",
      "http/guide-pages.ts href: code",
      "http/guide-pages.ts href: page.slug",
      "http/reference-pages.ts href: basePath",
      "http/reference-pages.ts href: code",
      "http/reference-pages.ts href: operation.slug",
      "http/reference-pages.ts href: tag",
      "http/reference-pages.ts href: tag.name",
      "sharing/briefs/messages.ts href: links.openUrl",
      "sharing/briefs/messages.ts href: links.unsubscribeUrl",
      "sharing/briefs/messages.ts href: part.url",
      "sharing/briefs/messages.ts style: brand.primaryColor",
      "sharing/briefs/messages.ts style: colors[tones[index] ?? ''] ?? '#cbcbc5'",
      "sharing/client-reports/mail.ts href: unsubscribeUrl",
      "sharing/client-reports/mail.ts style: cell",
      "sharing/client-reports/mail.ts style: color",
      "sharing/client-reports/render-html.ts src: brand.logo.toString('base64')",
      "sharing/client-reports/render-html.ts style: { html: reportStyle(brand.primaryColor) }",
      "sharing/live-links/page.ts href: period",
      "sharing/live-links/page.ts style: { html: styleOf(brand.primaryColor) }",
      "sources/declared-sources/page.ts style: { html: style }",
      "sources/handoffs/page.ts href: startUrl",
      "sources/handoffs/page.ts href: subject.startUrl",
      "sources/handoffs/page.ts src: brand.logoSrc",
      "sources/handoffs/page.ts style: { html: style }",
    ]
  `)
  expect(count).toBeGreaterThan(100)
})

const hostile = `"><img src=x onerror=alert(1)>'</title></style><script>alert(2)</script><a href="javascript:alert(3)">`
const startUrl = 'https://whence.example/start'

/** Renders pages with `name` as every name. */
const pages: Record<string, (name: string) => { html: string }> = {
  'hand-off': (name) =>
    handoffs.consentPage({ name, logoSrc: null }, { providerName: name, clientName: name, startUrl }),
  checkout: (name) =>
    handoffs.checkoutPage({ name, logoSrc: null }, { plan: name, clientName: name, startUrl }),
  'hand-off that failed': (name) =>
    handoffs.failurePage({ name, logoSrc: null }, 'internal_error', { providerName: name, startUrl }),
  'end of a hand-off': (name) => handoffs.donePage({ name, logoSrc: null }, { title: name, message: name }),
  'refused consent': oauth.refusalPage,
  'sign-in': (name) =>
    oauth.signInPage({ clientName: name, destination: name, action: startUrl, problem: name }),
  consent: (name) =>
    oauth.consentPage({
      clientName: name,
      destination: name,
      isTrusted: false,
      action: startUrl,
      person: name,
      scopes: ['campaigns:read', 'exports:write'],
      isAdoption: true,
      profiles: [
        { id: name, name, refused: null },
        { id: name, name, refused: name },
      ],
      seal: name,
    }),
  'shared link': (name) =>
    snapshotPage({ name, window: name, capturedAt: new Date(0), asOf: name, ads: [adNamed(name)] }),
  'live link': (name) =>
    livePage(
      { brand: brandNamed(name), language: 'en' },
      { name, period: 'last_7_days', reports: [...liveReports], expiresAt: new Date(0), now: new Date(0) },
      factsNamed(name),
      [{ channel: name, revenue: 1, payments: 1, spend: 1, roas: 1 }],
    ),
  'password of a live link': (name) => passwordPage({ brand: brandNamed(name), language: 'es' }, name),
  question: (name) =>
    questionPage('en', [{ key: name, label_en: name, label_es: name }] as never, { [name]: name }, true),
}

const brandNamed = (name: string) => ({
  name,
  primaryColor: '#123456',
  logo: null,
  supportEmail: name,
  websiteUrl: name,
})

function factsNamed(name: string): ReportFacts {
  const totals = {
    revenue: 2,
    spend: 1,
    credited: 1,
    payments: 1,
    creditedPayments: 1,
    totalRoas: 2,
    roas: 1,
    cac: 1,
  }
  const campaign = { id: 'one', platformId: name, name, ...totals }
  const days = { from: '2026-05-01', to: '2026-05-02' }
  return {
    profile: { name, currency: 'EUR', timezone: 'UTC' },
    model: 'last_touch',
    now: { days, totals, campaigns: [campaign], unattributed: 1 },
    before: { days, totals, campaigns: [], unattributed: 0 },
    days: [{ date: '2026-05-01', revenue: 1, spend: 1 }],
    reconciliation: { total: 2, credited: 1, unattributed: 1, delta: 0, leftOut: 0 },
    computedThrough: '2026-05-02T00:00:00Z',
    staleSources: [name],
    isStale: true,
    resultHash: '',
  }
}

function adNamed(name: string) {
  const texts = { ad_name: name, ad_external_id: name, campaign_name: name, maturity_stage: name }
  const money = { composite_score: 1, spend: 1, attributed_revenue: 1, currency: 'EUR' }
  return { ...texts, ...money, creative_thumbnail_url: 'https://whence.example/i.png' } as never
}

const elementsOf = ({ html }: { html: string }) => html.match(/<\/?[a-z][^\s>]*/gi)

it.each(Object.entries(pages))('%s: hostile names are shown as text', (_name, render) => {
  const page = render(hostile)
  expect(page.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(elementsOf(page)).toEqual(elementsOf(render('Acme')))
  expect(page.html.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\b(?:on\w+|javascript:)/)
})
