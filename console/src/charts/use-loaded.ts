import { useEffect, useState } from 'react'

type Outcome<T> = { value: T | undefined } | { error: unknown }

/** Loads a module. Not by `lazy`, because React then shows a placeholder for at least 300 ms. */
export function useLoaded<T>(load: () => Promise<T>): Outcome<T> {
  const [outcome, setOutcome] = useState<Outcome<T>>({ value: undefined })
  useEffect(() => {
    let isMounted = true
    const settle = (result: Outcome<T>) => (isMounted ? setOutcome(result) : undefined)
    load().then(
      (value) => settle({ value }),
      (error: unknown) => settle({ error }),
    )
    return () => {
      isMounted = false
    }
  }, [load])
  return outcome
}
