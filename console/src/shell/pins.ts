import { useSyncExternalStore } from 'react'
import { readStored, remember } from '../api/remembered.ts'
import { type NavPage, navPages } from './navigation.ts'

const watchers = new Set<() => void>()
const read = () => readStored('pinned-pages') ?? ''

function watch(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

/** Pages that somebody put at the top of the menu in this browser, in the order of the menu. */
export function usePinnedPages(): readonly NavPage[] {
  const pinned = useSyncExternalStore(watch, read).split(',')
  return navPages.filter(({ label }) => pinned.includes(label))
}

export function togglePin({ label }: NavPage): void {
  const before = read().split(',').filter(Boolean)
  const others = before.filter((one) => one !== label)
  remember('pinned-pages', (others.length < before.length ? others : [...others, label]).join(','))
  for (const changed of watchers) changed()
}
