import { useSyncExternalStore } from 'react'

/** The same width at which the styles change to a phone's. */
const PHONE = '(max-width: 700px)'

/** Whether the screen is a phone's, for what styles alone cannot change. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
