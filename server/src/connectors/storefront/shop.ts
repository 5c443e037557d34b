/** Normalises user input to a store's permanent domain: handle, store domain or admin URL. */
const storeSuffix = '.myshopify.com'
const adminHost = 'admin.shopify.com'
const handlePattern = /^[a-z0-9][a-z0-9-]{0,59}$/

/** Null for anything else: a custom domain cannot be trusted to belong to a store. */
export function normaliseShop(input: string): string | null {
  const typed = input.trim().toLowerCase()
  if (handlePattern.test(typed)) return `${typed}${storeSuffix}`
  const url = URL.parse(/^https?:\/\//.test(typed) ? typed : `https://${typed}`)
  if (url === null || url.username !== '' || url.password !== '' || url.port !== '') return null
  if (url.hostname.endsWith(storeSuffix)) return fromHandle(url.hostname.slice(0, -storeSuffix.length))
  if (url.hostname !== adminHost) return null
  const [, folder, handle] = url.pathname.split('/')
  return folder === 'store' ? fromHandle(handle ?? '') : null
}

function fromHandle(handle: string): string | null {
  return handlePattern.test(handle) ? `${handle}${storeSuffix}` : null
}
