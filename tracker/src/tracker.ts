import { guarded } from './guarded.ts'
import {
  emptyLanding,
  isOnDomain,
  LINK_FIELD,
  marksOf,
  readArrival,
  takeToken,
  VISIT_FIELD,
} from './landing.ts'
import { openOutbox } from './outbox.ts'
import type { Config, Draft, Tracker } from './shared.ts'
import {
  erase,
  eraseAll,
  read,
  readCookie,
  readJson,
  readVisitorText,
  siteHost,
  write,
  writeJson,
  writeVisitorText,
} from './store.ts'
import { clean, cleanObject } from './text.ts'
import { formatVisitor, makeId, parseVisitor, visit } from './visitor.ts'
import type { AdCookies, Arrival, EventType, Navigation, Touch, Traits, WireEvent } from './wire.ts'

export const VERSION = '1.0.0'
const MAX_PENDING = 100
const MAX_SEEN = 20
const MAX_ORDERS = 20
/** How long events wait for the visit that they continue; leaving the page ends the wait. */
const VISIT_WAIT_MS = 10_000

export function createTracker(config: Config): Tracker {
  let consent = config.consent
  const { values } = config
  const outbox = openOutbox(config, () => consent === 'granted')
  const tracker: Tracker = {
    config,
    gpc: !!(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl,
    ads: '',
    listeners: [],
    read,
    write,
    erase,
    siteHost,
    isWaiting: true,
    start,
    load,
    visitorId,
    askVisit,
    settle,
    outbox,
    record: guarded(record),
    choose(value, ads) {
      tracker.chosen = [value, ads]
      if (tracker.isWaiting) return
      start()
      tracker.changed?.()
    },
    startConsent() {
      const decidesLater =
        values.signals === 'auto' ||
        values.exclude ||
        read('own') ||
        /whence_(own|verify)=/.test(location.search)
      tracker.isWaiting = consent !== 'denied' && !!decidesLater
      if (tracker.isWaiting) consent = 'pending'
      else start()
      if (decidesLater || config.domains || tracker.gpc) load()
    },
    whenRegained(action) {
      onRegain = action
    },
    whenVisitor(listener) {
      const guardedListener = guarded(listener)
      listeners.push(guardedListener)
      if (publishedId) guardedListener(publishedId)
    },
    reset() {
      if (consent !== 'granted') return
      for (const name of ['first', 'latest', 'seen', 'orders']) erase(name)
      writeVisitorText(formatVisitor({ id: makeId(), session: makeId(), lastSeen: 0 }))
      publishVisitor(visitorId())
    },
  }
  let pending: Draft[] = []
  let lastAt = 0
  let onRegain = () => {}
  let publishedId = ''
  const listeners: ((id: string) => void)[] = []
  let linkToken = ''
  /** Token of the visit that continues here; events wait until it is resolved. */
  let visitToken = ''
  // Before anything is recorded, so that stored URLs and referrers do not contain the token.
  guarded(() => {
    const link = takeToken(location.href, LINK_FIELD)
    const visit = takeToken(link.url, VISIT_FIELD)
    linkToken = link.token
    // Anyone can get a token for their own visit, so it is accepted only from pages of the business.
    if (isOnDomain(document.referrer, config.domains)) visitToken = visit.token
    if (visit.url !== location.href) history.replaceState(history.state, '', visit.url)
  })()

  function record(
    type: EventType,
    name: string,
    properties?: unknown,
    traits: Traits = {},
    details: { navigation?: Navigation; referrer?: string } = {},
  ): void {
    if (consent === 'denied') return
    const draft: Draft = {
      id: makeId(),
      at: tick(),
      type,
      name: clean(name, 100),
      url: clean(location.href, 2048),
      title: clean(document.title, 512),
      referrer: details.referrer || '',
      navigation: details.navigation,
      properties: cleanObject(properties),
      traits,
      linkToken,
    }
    linkToken = ''
    if (consent === 'granted' && !visitToken) recordDraft(draft)
    else pending = pending.concat(draft).slice(-MAX_PENDING)
  }

  /** Gives every event a unique millisecond, so that the outbox keeps their order. */
  function tick(): number {
    const now = Date.now()
    lastAt = now > lastAt || lastAt - now > 1000 ? now : lastAt + 1
    return lastAt
  }

  function recordDraft(draft: Draft): void {
    if (tracker.skips?.(draft)) return
    const event_id = eventIdOf(draft)
    if (!event_id) return
    const [ad_user_data, ad_personalization = ad_user_data] = (
      tracker.gpc ? 'denied' : tracker.ads || read('ads') || ''
    ).split(',')
    const storedVisitor = parseVisitor(readVisitorText())
    const { visitor, started } = visit(storedVisitor, draft.at, config.sessionMinutes, makeId)
    writeVisitorText(formatVisitor(visitor))
    if (visitor.id !== publishedId) publishVisitor(visitor.id)
    const occurred_at = new Date(draft.at).toISOString()
    const arrival = draft.navigation ? arrive(draft) : NO_ARRIVAL
    const touches = touch({ at: occurred_at, url: draft.url, ...arrival })
    outbox.add({
      event_id,
      type: draft.type,
      event_name: draft.name,
      occurred_at,
      anonymous_id: visitor.id,
      session_id: visitor.session,
      session_start: started,
      url: draft.url,
      title: draft.title,
      ...arrival,
      properties: {
        ...(ad_user_data && { consent: { ad_user_data, ad_personalization } }),
        ...draft.properties,
      },
      user_traits: draft.traits,
      cookies: ad_user_data === 'denied' ? undefined : adCookies(),
      signals: tracker.gpc ? ['gpc'] : tracker.signals || unread(),
      consent: 'granted',
      screen: { w: screen.width, h: screen.height },
      language: clean(navigator.language, 35),
      tz: clean(Intl.DateTimeFormat().resolvedOptions().timeZone, 64),
      ...(draft.linkToken && { link_token: draft.linkToken }),
      context: { navigation: draft.navigation, ...touches, tracker: VERSION },
    })
  }

  function arrive(draft: Draft): Arrival {
    const seenMarks = readJson<string[]>('seen', [])
    const fresh = draft.navigation === 'navigate'
    const arrival = readArrival(
      { url: draft.url, referrer: draft.referrer, fresh, site: siteHost() },
      seenMarks,
    )
    const all = new Set(marksOf(arrival).concat(seenMarks))
    writeJson('seen', Array.from(all).slice(0, MAX_SEEN))
    return arrival
  }

  /** A direct visit does not replace an earlier touch. */
  function touch(now: Touch): Pick<WireEvent['context'], 'first_touch' | 'latest_touch'> {
    const first_touch = readJson<Touch>('first', now)
    const latest_touch = marksOf(now).length ? now : readJson<Touch>('latest', now)
    writeJson('first', first_touch)
    writeJson('latest', latest_touch)
    return { first_touch, latest_touch }
  }

  /**
   * The page's own statement precedes. A stored grant applies to pages that start as "pending", but not to pages that
   * start as "denied".
   */
  function start(value = config.consent, isChosen = !!tracker.chosen): void {
    const [choice, ads] = tracker.chosen || []
    const wasDenied = consent === 'denied'
    tracker.isWaiting = false
    consent = choice || (value === 'pending' && read('consent') === 'granted' ? 'granted' : value)
    if (consent === 'denied') {
      pending = []
      const hadVisitor = readVisitorText()
      eraseAll()
      if (hadVisitor) publishVisitor('')
    }
    if (consent !== 'granted') return
    if (isChosen) write('consent', 'granted')
    if (typeof ads === 'boolean') write('ads', ads ? 'granted' : 'denied')
    if (visitToken) {
      void askVisit(visitToken).then(settle)
      setTimeout(settle, VISIT_WAIT_MS)
    }
    keepPending()
    if (wasDenied && isChosen) onRegain()
    if (!publishedId && visitorId()) publishVisitor(visitorId())
  }

  /** Runs the second script, once. */
  function load(): void {
    if (tracker.isLoading) return
    tracker.isLoading = true
    const script = document.createElement('script')
    script.src = `${config.origin}/tracker-consent.js`
    script.onerror = () => tracker.isWaiting && start(values.signals === 'auto' ? 'pending' : config.consent)
    document.head.append(script)
  }

  function keepPending(): void {
    if (visitToken) return
    const drafts = pending
    pending = []
    for (const draft of drafts) guarded(recordDraft)(draft)
  }

  /** Continues the visit of another domain of the business, or this browser's own visit if there was no response. */
  function settle(visitor?: string): void {
    if (!visitToken) return
    visitToken = ''
    if (consent !== 'granted') return
    if (parseVisitor(visitor)) writeVisitorText(visitor!)
    keepPending()
  }

  /** Requests a token for this visit, or the visit of a token; empty if there is none. */
  async function askVisit(visit = readVisitorText()): Promise<string> {
    try {
      const body = JSON.stringify({ key: config.key, visit })
      const answer = await fetch(`${config.origin}/api/tracking/visit`, { method: 'POST', body })
      return (await answer.json()).data.visit
    } catch {
      return ''
    }
  }

  /** The visitor's id; empty without consent and before the first event of a new visitor. */
  function visitorId(): string {
    return (consent === 'granted' && parseVisitor(readVisitorText())?.id) || ''
  }

  function publishVisitor(id: string): void {
    publishedId = id
    for (const listener of listeners) listener(id)
  }

  /**
   * A reloaded thank-you page reports its order again: with the same sum there is no event, with another
   * sum (an upsell) it is a newer version of the first event.
   */
  function eventIdOf({ id, type, properties }: Draft): string | undefined {
    const { order_id: order, value, currency } = properties
    if (type !== 'purchase' || !order) return id
    const sum = `${value} ${currency}`
    const orders = readJson<[unknown, string, string][]>('orders', [])
    const previousEntry = orders.find((entry) => entry[0] === order)
    if (previousEntry?.[2] === sum) return
    const otherOrders = orders.filter((entry) => entry !== previousEntry)
    const entry = [order, previousEntry ? previousEntry[1] : id, sum] as const
    writeJson('orders', [entry, ...otherOrders].slice(0, MAX_ORDERS))
    return entry[1]
  }

  return tracker
}

/** A banner is on the page, and the tag does not read banners. */
function unread(): string[] | undefined {
  const page = window as { __tcfapi?: unknown; wp_has_consent?: unknown }
  return page.__tcfapi || page.wp_has_consent ? ['unread'] : undefined
}

function adCookies(): AdCookies | undefined {
  const cookies: AdCookies = {}
  for (const name of ['fbp', 'fbc', 'ttp'] as const) {
    const value = clean(readCookie(`_${name}`), 512)
    if (value) cookies[name] = value
  }
  return Object.keys(cookies).length ? cookies : undefined
}

const NO_ARRIVAL: Arrival = { referrer: '', ...emptyLanding() }
