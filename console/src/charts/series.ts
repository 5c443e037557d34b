/** Input of every chart: ordered points and the series drawn from them. */
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
  /** First and last day of the point, if it covers days; notes of these days are shown at it. */
  days?: { from: string; to: string }
  values: Record<string, number | null | undefined>
  /** The date of a series' value, if it differs from the point's. */
  dates?: Record<string, string>
  /** Further lines of the tooltip that are not drawn. */
  detail?: readonly { label: string; value: string }[]
}

/** Notes at a point. */
export type Mark = { label: string; text: string }
