import { type RefObject, useEffect, useState } from 'react'

/** Rows rendered beyond the viewport, so fast scrolling shows no blank area. */
const OVERSCAN = 10

type RowRange = { first: number; last: number }

/** Rows of a long table to render; all rows of a short one. `last` is exclusive. */
export function useWindowRows(
  body: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  isLong: boolean,
): RowRange {
  const [rendered, setRendered] = useState<RowRange>({ first: 0, last: 60 })
  useEffect(() => {
    if (!isLong) return
    const update = () => {
      if (!body.current) return
      const above = -body.current.getBoundingClientRect().top
      const next = rowsNearViewport(above, innerHeight, count, rowHeight)
      setRendered((before) => (before.first === next.first && before.last === next.last ? before : next))
    }
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [body, count, rowHeight, isLong])
  return isLong
    ? { first: Math.min(rendered.first, count), last: Math.min(rendered.last, count) }
    : { first: 0, last: count }
}

/** `above`: pixels of the table above the viewport. Rows change in steps of ten, so that most scrolling renders nothing. */
export function rowsNearViewport(above: number, height: number, count: number, rowHeight: number): RowRange {
  const step = (row: number) => Math.floor(row / 10) * 10
  const first = Math.max(0, step(above / rowHeight - OVERSCAN))
  const last = Math.min(count, step((above + height) / rowHeight + OVERSCAN) + 10)
  return { first: Math.min(first, count), last: Math.max(last, 0) }
}
