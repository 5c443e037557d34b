import { useEffect, useState } from 'react'

type Outcome<T> = { value: T } | { error: unknown }

/** A module once it has come. Not by `lazy`: React keeps a placeholder it has shown for 300 ms, however soon that is. */
export function useLoaded<T>(coming: Promise<T>): T | undefined {
  const [outcome, setOutcome] = useState<Outcome<T>>()
  useEffect(() => {
    let isWanted = true
    const settle = (found: Outcome<T>) => (isWanted ? setOutcome(found) : undefined)
    coming.then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    )
    return () => {
      isWanted = false
    }
  }, [coming])
  if (outcome && 'error' in outcome) throw outcome.error
  return outcome?.value
}
