/** Normalises user input to a shop's address: a domain, the front page or an admin page. */

/** Paths of WordPress itself; the path before them is the installation folder of the shop. */
const wordPressPaths = /\/(?:wp-admin|wp-json|wp-login\.php|wc-auth|index\.php)(?:\/.*)?$/
const folderPattern = /^(?:\/[A-Za-z0-9._~-]+)*$/

/** Host and folder without a scheme (`shop.example`, `example.com/store`); null for anything else. Always called over TLS. */
export function normaliseShopAddress(input: string): string | null {
  const typed = input.trim()
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (!url.hostname.includes('.') && url.hostname !== 'localhost') return null
  let folder = url.pathname.replace(wordPressPaths, '')
  while (folder.endsWith('/')) folder = folder.slice(0, -1)
  if (!folderPattern.test(folder)) return null
  return `${url.host}${folder}`
}

/** If the base URL has no placeholder, one host serves all shops and the shop is the first path segment. */
export const at = (base: string, shop: string): string =>
  base.includes('{shop}') ? base.replace('{shop}', shop) : `${base}/${shop}`
