// Passes the visitor's id to checkouts on other hosts, so that the payment is reported with it.
import { linkOf } from './clicks.ts'
import { guarded } from './guarded.ts'
import { hostOf, isSameSite } from './landing.ts'
import type { Tracker } from './shared.ts'

const MARK = 'data-whence-checkout'
const LINK_FIELD = 'client_reference_id'
const FORM_FIELD = 'whence_id'
const CART_FIELD = '_whence_id'
/**
 * Hosted payment pages read the field from their URL (dev.to/stripe/payment-link-data-passing-1njp, checked
 * 2026-11-16); page elements read it from an attribute, which was not tested with an account.
 */
const LINK_HOST = 'buy.stripe.com'
const ELEMENTS = 'stripe-pricing-table,stripe-buy-button'
const ELEMENT_ATTRIBUTE = 'client-reference-id'

type StoreWindow = Window & { Shopify?: { routes?: { root?: string } } }

export function watchCheckout(tracker: Tracker, mode: string): void {
  if (mode === 'off') return
  const isAuto = mode !== 'marked'
  const writtenIds = new Set<string>()
  /** Values written by the page are kept; values that we wrote for an earlier visitor are replaced. */
  const isOurs = (value: string | null) => !value || writtenIds.has(value)
  const visitor = () => {
    const id = tracker.visitorId()
    writtenIds.add(id)
    return id
  }

  const onPointer = guarded((event: Event) => {
    const anchor = linkOf(event)
    if (!anchor) return
    const mark = anchor.getAttribute(MARK)
    if (mark === null && !(isAuto && isSameSite(hostOf(anchor.href), LINK_HOST))) return
    const href = withField(anchor.href, mark || LINK_FIELD, visitor(), isOurs)
    if (href !== anchor.href) anchor.href = href
  })
  // A link opened from its context menu gets no click event.
  for (const name of ['click', 'auxclick', 'contextmenu']) document.addEventListener(name, onPointer, true)

  // Covers every way to submit a form, including the page's own scripts.
  document.addEventListener(
    'formdata',
    guarded((event: Event) => {
      const mark = (event.target as Element).getAttribute(MARK)
      const { formData } = event as FormDataEvent
      const id = visitor()
      if (mark !== null && id && !formData.get(mark || FORM_FIELD)) formData.set(mark || FORM_FIELD, id)
    }),
    true,
  )

  const fillElements = guarded(() => {
    document.querySelectorAll(ELEMENTS).forEach((element) => {
      const id = visitor()
      const currentValue = element.getAttribute(ELEMENT_ATTRIBUTE)
      if (currentValue === id || !isOurs(currentValue)) return
      if (id) element.setAttribute(ELEMENT_ATTRIBUTE, id)
      else if (currentValue) element.removeAttribute(ELEMENT_ATTRIBUTE)
    })
  })
  if (isAuto) new MutationObserver(fillElements).observe(document, { childList: true, subtree: true })

  let cart = Promise.resolve()
  tracker.whenVisitor(() => {
    if (!isAuto) return
    fillElements()
    const fill = () => {
      // Sequential, so that withdrawing consent cannot overtake an earlier update.
      cart = cart.then(() => fillCart(visitor()))
    }
    if (document.readyState === 'complete' || inStore()) fill()
    else addEventListener('load', fill)
  })
}

/** Sets a query parameter; the rest of the URL is unchanged. */
export function withField(href: string, name: string, id: string, isOurs: (value: string | null) => boolean) {
  const url = new URL(href)
  const currentValue = url.searchParams.get(name)
  if (currentValue === id || !isOurs(currentValue)) return href
  if (currentValue !== null) url.searchParams.delete(name)
  if (id) url.search += `${url.search ? '&' : '?'}${name}=${id}`
  return url.href
}

const inStore = () => (window as StoreWindow).Shopify?.routes?.root

/**
 * The cart is stored by the store and not in the page, and a purchase removes it without notice. So it is read first.
 * https://shopify.dev/docs/api/ajax/reference/cart, checked 2026-11-16.
 */
async function fillCart(id: string): Promise<void> {
  const root = inStore()
  if (!root) return
  try {
    const cart = await (await fetch(`${root}cart.js`)).json()
    if ((cart.attributes[CART_FIELD] || '') === id) return
    await fetch(`${root}cart/update.js`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ attributes: { [CART_FIELD]: id } }),
    })
  } catch {
    // The next page retries.
  }
}
