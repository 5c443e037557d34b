import { useSyncExternalStore } from 'react'
import { readStored, remember } from '../api/browser-storage.ts'
import { type NavPage, navPages } from './navigation.ts'

const listeners = new Set<() => void>()
const read = () => readStored('pinned-pages') ?? ''

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Pages pinned in this browser, in menu order. */
export function usePinnedPages(): readonly NavPage[] {
  const pinned = useSyncExternalStore(subscribe, read).split(',')
  return navPages.filter(({ label }) => pinned.includes(label))
}

export function togglePin({ label }: NavPage): void {
  const before = read().split(',').filter(Boolean)
  const otherLabels = before.filter((pinned) => pinned !== label)
  remember(
    'pinned-pages',
    (otherLabels.length < before.length ? otherLabels : [...otherLabels, label]).join(','),
  )
  for (const changed of listeners) changed()
}
