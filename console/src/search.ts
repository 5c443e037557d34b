/** Search parameters of the pages, so that a link shows what its sender saw. */

import { type ModelParam as Model, modelParamValues as models } from '@whence/sdk'
import { isDay } from '@whence/server/platform/contract/dates.ts'

export { type Model, models }

export type ReportSearch = {
  from?: string | undefined
  to?: string | undefined
  preset?: string | undefined
  model?: Model | undefined
  compare?: boolean | undefined
}

export const reportKeys = ['from', 'to', 'preset', 'model', 'compare'] as const

export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const { from, to, preset, model, compare } = search
  return {
    from: typeof from === 'string' && isDay(from) ? from : undefined,
    to: typeof to === 'string' && isDay(to) ? to : undefined,
    preset: typeof preset === 'string' ? preset : undefined,
    model: models.find((value) => value === model),
    compare: typeof compare === 'boolean' ? compare : undefined,
  }
}

export type TabSearch = { tab?: string | undefined }

export function readTab(search: Record<string, unknown>): TabSearch {
  return { tab: readText(search.tab) }
}

export type CampaignSearch = {
  level?: 'ad_set' | 'ad' | undefined
  q?: string | undefined
  where?: string | undefined
  status?: string | undefined
  platform?: string | undefined
  cols?: string | undefined
  campaign?: string | undefined
  ad_set?: string | undefined
  ad?: string | undefined
  view?: 'figures' | 'models' | undefined
  sort?: string | undefined
  up?: boolean | undefined
  /** Ids of rows to show, ours or the platform's; set by links from other pages. */
  only?: string | undefined
  /** The list from which a conversion was opened, if it was not a campaign's. */
  source?: 'payments' | 'unattributed' | undefined
}

export function readCampaignSearch(search: Record<string, unknown>): CampaignSearch {
  const { level, campaign, ad_set, ad, view, sort, up, source } = search
  return {
    level: level === 'ad_set' || level === 'ad' ? level : undefined,
    q: readWords(search.q),
    where: readText(search.where),
    status: readText(search.status),
    platform: readText(search.platform),
    only: readWords(search.only),
    cols: readText(search.cols),
    campaign: readText(campaign),
    ad_set: readText(ad_set),
    ad: readText(ad),
    view: view === 'models' ? 'models' : undefined,
    sort: readText(sort),
    up: up === true ? true : undefined,
    source: source === 'payments' || source === 'unattributed' ? source : undefined,
  }
}

export type CohortSearch = {
  by?: 'month' | 'campaign' | 'channel' | undefined
  show?: 'revenue' | 'payback' | 'retention' | undefined
  /** Minimum months since the first payment, if a row contains customers of many months. */
  followed?: 1 | 6 | undefined
}

export function readCohortSearch({ by, show, followed }: Record<string, unknown>): CohortSearch {
  return {
    followed: followed === 1 || followed === 6 ? followed : undefined,
    by: by === 'campaign' || by === 'channel' ? by : undefined,
    show: show === 'payback' || show === 'retention' ? show : undefined,
  }
}

export type UnattributedSearch = { reason?: string | undefined }

export function readUnattributed(search: Record<string, unknown>): UnattributedSearch {
  return { reason: readText(search.reason) }
}

export type JourneySearch = { path?: string | undefined }

export function readJourneys(search: Record<string, unknown>): JourneySearch {
  return { path: readText(search.path) }
}

export type CreativeSearch = {
  window?: '7d' | '14d' | 'lifetime' | undefined
  adsOf?: 'workspace' | undefined
  format?: string | undefined
  objective?: string | undefined
  grade?: string | undefined
  outcome?: string | undefined
  video?: 'true' | 'false' | undefined
  /** Minimum spend in the window. */
  least?: number | undefined
}

export function readCreativeSearch(search: Record<string, unknown>): CreativeSearch {
  // Links of earlier versions have `reach`.
  const { window, adsOf = search.reach, video, least } = search
  return {
    window: (['7d', '14d', 'lifetime'] as const).find((value) => value === window),
    adsOf: adsOf === 'workspace' ? adsOf : undefined,
    format: readText(search.format),
    objective: readText(search.objective),
    grade: readText(search.grade),
    outcome: readText(search.outcome),
    video: (['true', 'false'] as const).find((value) => value === String(video)),
    least: typeof least === 'number' && least > 0 ? least : undefined,
  }
}

export type FindSearch = {
  find?: string | undefined
  sort?: string | undefined
  up?: boolean | undefined
}

/** Search text and sorting of the customers. */
export function readFind({ find, sort, up }: Record<string, unknown>): FindSearch {
  return { find: readWords(find), sort: readText(sort), up: up === true ? true : undefined }
}

export type PaymentSearch = TabSearch & {
  find?: string | undefined
  min?: string | undefined
  max?: string | undefined
}

export function readPayments(search: Record<string, unknown>): PaymentSearch {
  const { find, min, max } = search
  return { ...readTab(search), find: readWords(find), min: readWords(min), max: readWords(max) }
}

/** The router parses numeric text as a number. */
function readWords(value: unknown): string | undefined {
  return readText(typeof value === 'number' ? String(value) : value)
}

export type ClientsSearch = {
  q?: string | undefined
  tag?: string | undefined
  currency?: string | undefined
  sort?: string | undefined
  up?: boolean | undefined
}

export function readClients({ q, tag, currency, sort, up }: Record<string, unknown>): ClientsSearch {
  return {
    q: readWords(q),
    tag: readWords(tag),
    currency: readText(currency),
    sort: readText(sort),
    up: up === true ? true : undefined,
  }
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Accepts only paths of the console, because another address would be an open redirect. */
export function readNext(value: unknown): string | undefined {
  const text = readText(value)
  return text && /^\/(?![/\\])/.test(text) ? text : undefined
}

/** The signed query string with which the store platform opens the app; kept while the user signs in. */
export function readStoreInstall(search: Record<string, unknown>): { install?: string | undefined } {
  if (typeof search.install === 'string') return { install: search.install }
  if (search.hmac === undefined || search.shop === undefined) return { install: undefined }
  const pairs = Object.entries(search).map(([name, value]) => [name, String(value)])
  return { install: new URLSearchParams(pairs).toString() }
}
