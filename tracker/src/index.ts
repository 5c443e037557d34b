// Entry point: reads the script tag's attributes, processes the page's queue of calls, and never throws into
// the page.
import { watchCheckout } from './checkout.ts'
import { watchClicks, watchForms } from './clicks.ts'
import { guarded } from './guarded.ts'
import { watchPages } from './pages.ts'
import type { Config, Tracker } from './shared.ts'
import { clean, isAutomatedAgent } from './text.ts'
import { createTracker, VERSION } from './tracker.ts'
import { sessionMinutesOf } from './visitor.ts'
import type { Consent, Traits } from './wire.ts'

type Call = ArrayLike<unknown>
type Whence = { (...call: unknown[]): void; q?: Call[]; version?: string; tracker?: Tracker }

declare global {
  interface Window {
    whence?: Whence
  }
}

const TRAITS = [
  'email',
  'phone',
  'country',
  'external_id',
  'first_name',
  'last_name',
  'city',
  'region',
  'postal_code',
] as const

function traitsOf(value: unknown): Traits {
  const values = Object(value) as Record<string, unknown>
  const traits: Traits = {}
  for (const name of TRAITS) {
    const text = clean(values[name], 320)
    if (text) traits[name] = text
  }
  return traits
}

function isConsent(value: unknown): value is Consent {
  return value === 'granted' || value === 'pending' || value === 'denied'
}

function run(tracker: Tracker, [command, first, second, third]: [unknown, ...unknown[]]): void {
  switch (command) {
    case 'page':
      tracker.record('page_view', 'page_view', first, {}, { navigation: 'manual' })
      break
    case 'identify': {
      const hasId = typeof first === 'string' || typeof first === 'number'
      const traits = traitsOf(hasId ? { ...Object(second), external_id: first } : first)
      if (!Object.keys(traits).length) throw new Error('identify needs a trait')
      tracker.record('identify', 'identify', {}, traits)
      break
    }
    case 'track':
      if (!clean(first, 100)) throw new Error('track needs a name')
      tracker.record('track', String(first), second, traitsOf(third))
      break
    case 'purchase': {
      const { value, currency, order_id, ...rest } = Object(first) as Record<string, unknown>
      if (!/^\d+(\.\d+)?$/.test(String(value)) || !/^[a-z]{3}$/i.test(String(currency))) {
        throw new Error('purchase needs value and currency')
      }
      const order = clean(order_id, 200)
      const money = { ...rest, value, currency: String(currency).toUpperCase(), order_id: order || undefined }
      tracker.record('purchase', 'order_placed', money, traitsOf(second))
      break
    }
    case 'declare': {
      // The customer's answer to how they heard of the business.
      if (!clean(first, 50)) throw new Error('declare needs an answer')
      const { text, order_id } = Object(second) as Record<string, unknown>
      tracker.record('track', 'declared_source', { answer_key: first, answer_text: text, order_id }, {})
      break
    }
    case 'consent':
      if (isConsent(first)) tracker.choose(first, Object(second).ads)
      break
    case 'visitor':
      if (typeof first !== 'function') throw new Error('visitor needs a function')
      tracker.whenVisitor((id) => id && first(id))
      break
    case 'signals':
      tracker.listeners.push(first as () => void)
      tracker.load()
      tracker.changed?.()
      break
    case 'reset':
      tracker.reset()
      break
    case 'init':
      break
    default:
      throw new Error(`unknown call ${String(command)}`)
  }
}

function configFrom(values: Record<string, unknown>, source: string): Config | undefined {
  // The URL of a service below a path prefix includes the prefix.
  const baseOf = (value: unknown) =>
    value ? new URL(String(value), location.href).href.split(/[?#]/)[0]!.replace(/\/$/, '') : ''
  const key = clean(values.key, 200)
  if (!key) return
  const consent = values.consent
  return {
    key,
    origin: baseOf(values.origin) || (source && new URL(source).origin),
    canonical: baseOf(values.canonical),
    consent: isConsent(consent) ? consent : 'granted',
    sessionMinutes: sessionMinutesOf(values.sessionMinutes),
    forms: String(values.forms || 'auto'),
    spa: String(values.spa || 'on'),
    checkout: String(values.checkout || 'auto'),
    domains: String(values.domains || ''),
    values,
  }
}

function isAutomated(): boolean {
  return !!(
    navigator.webdriver ||
    (window as Window & { __nightmare?: unknown }).__nightmare ||
    isAutomatedAgent(navigator.userAgent)
  )
}

function start(config: Config, queued: Call[]): (call: Call) => void {
  const tracker = createTracker(config)
  // Before consent is known, because denied consent removes the visitor's id from the cart.
  watchCheckout(tracker, config.checkout)
  const perform = guarded((call: Call) => run(tracker, Array.from(call) as [unknown, ...unknown[]]))
  // A consent that the page set before the script loaded applies before anything is recorded.
  for (const call of queued) if (call[0] === 'consent') perform(call)
  window.whence!.tracker = tracker
  tracker.startConsent()
  watchPages(tracker, config.spa)
  watchClicks(tracker)
  watchForms(tracker, config.forms)
  const { flush, leave, retryNow } = tracker.outbox
  // On leaving, stop waiting for another domain's visit.
  addEventListener('pagehide', () => {
    tracker.settle()
    leave()
  })
  document.addEventListener('visibilitychange', () => (document.hidden ? leave() : flush()))
  addEventListener('online', retryNow)
  for (const call of queued) if (call[0] !== 'consent') perform(call)
  return perform
}

function main(): void {
  const { version, q: queue = [] } = window.whence || ({} as Partial<Whence>)
  if (version) return
  const script = (document.currentScript ||
    document.querySelector('script[data-key^="trk_"]')) as HTMLScriptElement | null
  const source = script ? script.src : ''
  let perform: ((call: Call) => void) | undefined
  const tryStart = guarded((values: Record<string, unknown>) => {
    const config = perform ? undefined : configFrom(values, source)
    if (config) perform = isAutomated() ? () => {} : start(config, queue)
  })
  const tryInit = (call: Call) => call[0] === 'init' && tryStart(Object(call[1]))
  const whence: Whence = (...call) => {
    if (perform) return perform(call)
    queue.push(call)
    tryInit(call)
  }
  whence.version = VERSION
  window.whence = whence

  tryStart({ ...script?.dataset })
  queue.slice().forEach(tryInit)
}

main()
