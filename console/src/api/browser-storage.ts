/** Settings stored in this browser. If storage is disabled, they are just not remembered. */
type StoredName =
  | 'profile'
  | 'theme'
  | 'hidden-problems'
  | 'folded-pages'
  | 'pinned-pages'
  | 'tour'
  | `views.${string}`

export function readStored(name: StoredName): string | null {
  try {
    return localStorage.getItem(`whence.${name}`)
  } catch {
    return null
  }
}

export function remember(name: StoredName, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`whence.${name}`)
    else localStorage.setItem(`whence.${name}`, value)
  } catch {
    // The page works without it.
  }
}
