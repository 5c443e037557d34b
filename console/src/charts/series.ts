/** What every chart is given: points in order, and the series drawn through them. */
export type Series = {
  key: string
  label: string
  color: string
  kind: 'line' | 'area' | 'bar'
  dashed?: boolean
}

export type Point = {
  /** Position on the axis; unique. */
  label: string
  /** The whole date or period, for the tooltip. */
  title: string
  /** The first and the last day that it holds, where it is about days: what people noted on them is shown at it. */
  days?: { from: string; to: string }
  values: Record<string, number | null | undefined>
  /** The date that a series' value is of, where it is another one than the point's. */
  dates?: Record<string, string>
  /** Further lines of the tooltip that are not drawn. */
  detail?: readonly { label: string; value: string }[]
}

/** What somebody noted at a day. */
export type Mark = { label: string; text: string }
