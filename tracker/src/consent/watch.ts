// Reads the banners of a page. Everything of the page may be missing, foreign, frozen or throw.
import { guarded } from '../guarded.ts'
import { readCookie } from '../store.ts'
import {
  allPending,
  type ConsentCommand,
  type Reading,
  readConsentMode,
  readShopify,
  readTcf,
  readWp,
  type ShopifyPrivacy,
  type TcData,
  toConsentCommand,
} from './banners.ts'
import type { Banner } from './decide.ts'

type Page = Window & {
  dataLayer?: unknown
  __tcfapi?: (command: string, version: number, callback: (data: TcData, ok: boolean) => void) => void
  Shopify?: {
    customerPrivacy?: ShopifyPrivacy
    loadFeatures?(features: { name: string; version: string }[], done: (error?: unknown) => void): void
  }
  wp_has_consent?: (category: string) => unknown
  consent_api?: { cookie_prefix?: unknown }
}

/** Banners are inserted at any time, and pages replace `dataLayer`; a look costs microseconds. */
const LOOK_AGAIN_MS = 250

export type Banners = { readings(): Partial<Record<Banner, Reading>> }

export function watchBanners(onChange: () => void): Banners {
  const page = window as Page
  const consentMode = watchDataLayer(page, onChange)
  let tcf: TcData | undefined
  let api: Page['__tcfapi']
  let hasAskedStore = false
  let isReady = false

  const look = guarded(() => {
    consentMode.look()
    if (typeof page.__tcfapi === 'function' && page.__tcfapi !== api) {
      api = page.__tcfapi
      // The function of a loaded banner replaces its stub, which passes waiting calls on; one answer suffices.
      api('addEventListener', 2, (data, ok) => {
        if (ok === false || !data) return
        tcf = { ...data }
        // A banner may answer within the call, when no one can read yet.
        if (isReady) onChange()
      })
    }
    const store = page.Shopify
    if (store && !store.customerPrivacy && !hasAskedStore && typeof store.loadFeatures === 'function') {
      hasAskedStore = true
      store.loadFeatures([{ name: 'consent-tracking-api', version: '0.1' }], () => onChange())
    }
  })

  const tryRead = (read: () => Reading | undefined): Reading | undefined => {
    try {
      return read()
    } catch {
      // A banner that throws has stated nothing.
      return allPending
    }
  }
  const readings = () => {
    const all: Partial<Record<Banner, Reading>> = {}
    const add = (name: Banner, is: unknown, read: () => Reading | undefined) => {
      const reading = is ? tryRead(read) : undefined
      if (reading) all[name] = reading
    }
    const { Shopify: store, wp_has_consent: wp } = page
    const isStore = store && (store.customerPrivacy || hasAskedStore)
    add('tcf', api, () => readTcf(tcf))
    add('consent_mode', true, () => readConsentMode(consentMode.commands, timeZone()))
    add('shopify', isStore, () => readShopify(store!.customerPrivacy))
    add('wp', typeof wp === 'function', () => readWp(wp!, (category) => wpCookie(page, category)))
    return all
  }

  look()
  isReady = true
  let before = JSON.stringify(readings())
  setInterval(() => {
    look()
    const now = JSON.stringify(readings())
    if (now !== before) onChange()
    before = now
  }, LOOK_AGAIN_MS)
  // After the page's own listeners, which write the cookies.
  for (const name of [
    'visitorConsentCollected',
    'shopifyCustomerPrivacyApiLoaded',
    'wp_listen_for_consent_change',
  ])
    document.addEventListener(name, () => setTimeout(onChange))
  return { readings }
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || ''

const wpCookie = (page: Page, category: string) =>
  readCookie(`${page.consent_api?.cookie_prefix || 'wp_consent'}_${category}`)

/** Wraps `push`, so that a choice applies at once; where that is impossible, reading again suffices. */
function watchDataLayer(page: Page, onChange: () => void) {
  const commands: ConsentCommand[] = []
  const seen = new WeakSet<object>()
  const wrapped = new WeakSet<object>()

  function take(entry: unknown): boolean {
    try {
      if (typeof entry !== 'object' || entry === null || seen.has(entry)) return false
      seen.add(entry)
      const command = toConsentCommand(entry)
      if (command) commands.push(command)
      return !!command
    } catch {
      return false
    }
  }

  function wrap(layer: unknown[]): void {
    const original = layer.push
    if (typeof original !== 'function' || wrapped.has(original)) return
    const push = function (this: unknown, ...entries: unknown[]): number {
      const result = original.apply(layer, entries)
      // Not filter: every entry is taken.
      if (entries.map(take).includes(true)) guarded(onChange)()
      return result
    }
    wrapped.add(push)
    layer.push = push
  }

  return {
    commands,
    look() {
      try {
        const layer = page.dataLayer
        if (!Array.isArray(layer)) return
        for (let index = 0; index < layer.length; index++) take(layer[index])
        wrap(layer)
      } catch {
        // Frozen, or a proxy that throws.
      }
    },
  }
}
