import { type RefObject, useEffect, useState } from 'react'

/** So many rows around the screen are kept, so that a fast scroll meets no gap. */
const AROUND = 10

type Shown = { first: number; last: number }

/** Which rows of a long table are near the screen. All of them where there are few; `last` is exclusive. */
export function useWindowRows(
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  isLong: boolean,
): Shown {
  const [shown, setShown] = useState<Shown>({ first: 0, last: 60 })
  useEffect(() => {
    if (!isLong) return
    const look = () => {
      if (!body.current) return
      const above = -body.current.getBoundingClientRect().top
      const next = rowsNear(above, innerHeight, count, rowHeight)
      setShown((before) => (before.first === next.first && before.last === next.last ? before : next))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [body, count, rowHeight, isLong])
  return isLong
    ? { first: Math.min(shown.first, count), last: Math.min(shown.last, count) }
    : { first: 0, last: count }
}

/** `above`: how many pixels of the table have scrolled out of sight. Steps of ten, so that most scrolling renders nothing. */
export function rowsNear(above: number, height: number, count: number, rowHeight: number): Shown {
  const step = (row: number) => Math.floor(row / 10) * 10
  const first = Math.max(0, step(above / rowHeight - AROUND))
  const last = Math.min(count, step((above + height) / rowHeight + AROUND) + 10)
  return { first: Math.min(first, count), last: Math.max(last, 0) }
}
