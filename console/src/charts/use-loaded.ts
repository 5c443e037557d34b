import { useEffect, useState } from 'react'

type Outcome<T> = { value: T | undefined } | { error: unknown }

/** A module once it has come. Not by `lazy`: React keeps a placeholder it has shown for 300 ms, however soon that is. */
export function useLoaded<T>(load: () => Promise<T>): Outcome<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>({ value: undefined })
  useEffect(() => {
    let isWanted = true
    const settle = (found: Outcome<T>) => (isWanted ? setOutcome(found) : undefined)
    load().then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    )
    return () => {
      isWanted = false
    }
  }, [load])
  return outcome
}
