/** What this browser remembers; storage that is switched off costs nothing but the memory. */
type Remembered =
  | 'profile'
  | 'theme'
  | 'hidden-problems'
  | 'folded-pages'
  | 'pinned-pages'
  | 'tour'
  | `views.${string}`

export function readStored(name: Remembered): string | null {
  try {
    return localStorage.getItem(`whence.${name}`)
  } catch {
    return null
  }
}

export function remember(name: Remembered, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`whence.${name}`)
    else localStorage.setItem(`whence.${name}`, value)
  } catch {
    // Nothing to do: the page works without it.
  }
}
