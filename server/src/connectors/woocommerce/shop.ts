/** A shop's address out of what people paste: a domain, the front page, a page of the admin. */

/** Where WordPress itself begins; what comes before it is the folder that the shop is installed in. */
const ownFolders = /\/(?:wp-admin|wp-json|wp-login\.php|wc-auth|index\.php)(?:\/.*)?$/
const folderForm = /^(?:\/[A-Za-z0-9._~-]+)*$/

/** Host and folder without a scheme (`shop.example`, `example.com/store`); null for anything else. Always called over TLS. */
export function normaliseShopAddress(input: string): string | null {
  const typed = input.trim()
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  if (url === null || url.username !== '' || url.password !== '') return null
  if (!url.hostname.includes('.') && url.hostname !== 'localhost') return null
  let folder = url.pathname.replace(ownFolders, '')
  while (folder.endsWith('/')) folder = folder.slice(0, -1)
  if (!folderForm.test(folder)) return null
  return `${url.host}${folder}`
}

/** A base without the placeholder serves all shops from one host: the shop is then its first path segment. */
export const at = (base: string, shop: string): string =>
  base.includes('{shop}') ? base.replace('{shop}', shop) : `${base}/${shop}`
