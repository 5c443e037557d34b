/** Whether the first page has its figures: what the shell asks on its own account comes after them. */
import { useEffect, useSyncExternalStore } from 'react'
import { queryClient } from './queries.ts'

const LONGEST_WAIT_MS = 1000

let isDrawn = false
let isAnswered = false
const listeners = new Set<() => void>()

/** False until the reads of the first page are answered, or it has had a second for them. */
export function useFirstReadsAnswered(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAnswered,
  )
}

/** Reads of the shell around every page: by the time this runs the page's own reads have started. */
export function usePageIsDrawn(): void {
  useEffect(() => {
    if (isDrawn) return
    isDrawn = true
    const answered = () => {
      if (isAnswered) return
      leave()
      isAnswered = true
      for (const listener of listeners) listener()
    }
    const look = () => {
      if (queryClient.isFetching() === 0) answered()
    }
    const leave = queryClient.getQueryCache().subscribe(look)
    setTimeout(look)
    setTimeout(answered, LONGEST_WAIT_MS)
  }, [])
}
