/** Tracks whether the first page has its figures. The shell's own requests wait for them. */
import { useEffect, useSyncExternalStore } from 'react'
import { queryClient } from './queries.ts'

const MAX_WAIT_MS = 1000

let isDrawn = false
let isFinished = false
const listeners = new Set<() => void>()

/** False until the reads of the first page have finished, or for at most a second. */
export function useFirstReadsFinished(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isFinished,
  )
}

/** Called by the shell around every page; when it runs, the page's own reads have started. */
export function usePageRendered(): void {
  useEffect(() => {
    if (isDrawn) return
    isDrawn = true
    const finish = () => {
      if (isFinished) return
      unsubscribe()
      isFinished = true
      for (const listener of listeners) listener()
    }
    const check = () => {
      if (queryClient.isFetching() === 0) finish()
    }
    const unsubscribe = queryClient.getQueryCache().subscribe(check)
    setTimeout(check)
    setTimeout(finish, MAX_WAIT_MS)
  }, [])
}
