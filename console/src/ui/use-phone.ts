import { useSyncExternalStore } from 'react'

/** The breakpoint of the styles. */
const PHONE = '(max-width: 700px)'

/** Whether the screen is a phone's, for differences that CSS cannot express. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
