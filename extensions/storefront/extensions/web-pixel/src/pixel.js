/**
 * Reports what happens on the store's checkout, where the theme's tracker does not run. The visitor is
 * the one of the tracker's cookie, so that the purchase belongs to whom the tracker saw arrive.
 */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function startPixel({ analytics, browser, settings }, send) {
  const report = async (event, type, name, properties, traits) => {
    const { visitor, session } = await visitorOf(browser, event)
    const { location } = event.context.document
    const body = {
      event_id: uuid.test(event.id) ? event.id : crypto.randomUUID(),
      type,
      event_name: name,
      occurred_at: new Date(event.timestamp).toISOString(),
      sent_at: new Date().toISOString(),
      anonymous_id: visitor,
      session_id: session,
      session_start: false,
      url: location.href.slice(0, 2048),
      referrer: '',
      title: (event.context.document.title ?? '').slice(0, 512),
      utm: {},
      click_ids: {},
      ad: {},
      properties,
      user_traits: traits,
      consent: 'granted',
      screen: {
        w: Math.round(event.context.window.innerWidth ?? 0),
        h: Math.round(event.context.window.innerHeight ?? 0),
      },
      language: (event.context.navigator.language ?? '').slice(0, 35),
      tz: '',
    }
    await send(settings.collectorUrl, JSON.stringify({ key: settings.trackingKey, events: [body] }))
  }

  analytics.subscribe('checkout_started', (event) =>
    report(event, 'track', 'checkout_started', moneyOf(event.data.checkout), traitsOf(event.data.checkout)),
  )
  analytics.subscribe('checkout_completed', (event) => {
    const { checkout } = event.data
    const order = String(checkout.order?.id ?? '')
      .split('/')
      .at(-1)
    const properties = { ...moneyOf(checkout), ...(order ? { order_id: order } : {}) }
    return report(event, 'purchase', 'order_placed', properties, traitsOf(checkout))
  })
}

const moneyOf = (checkout) => ({
  value: String(checkout.totalPrice?.amount ?? 0),
  currency: checkout.totalPrice?.currencyCode ?? checkout.currencyCode,
})

function traitsOf(checkout) {
  const said = {
    email: checkout.email,
    phone: checkout.phone,
    first_name: checkout.billingAddress?.firstName,
    last_name: checkout.billingAddress?.lastName,
  }
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => typeof value === 'string' && value !== ''),
  )
}

/** The tracker's cookie holds visitor, session and last activity; without it the platform's own id of the browser. */
async function visitorOf(browser, event) {
  const [visitor, session] = String((await browser.cookie.get('whence')) ?? '').split('.')
  if (uuid.test(visitor)) return { visitor, session: uuid.test(session) ? session : visitor }
  const own = uuid.test(event.clientId) ? event.clientId : crypto.randomUUID()
  return { visitor: own, session: own }
}
