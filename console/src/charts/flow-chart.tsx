import { useMemo } from 'react'
import { computeFlowLayout, type Flow } from './flow-layout.ts'

const boxes = {
  wide: { width: 860, height: 320, nodeWidth: 12, gap: 26, labelRoom: 150 },
  narrow: { width: 236, height: 400, nodeWidth: 10, gap: 30, labelRoom: 96 },
}
const colors = ['var(--chart-1)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)']
const OTHER_COLOR = 'var(--chart-2)'

/** Flow diagram (Sankey): the width of a band is its weight. The page shows the same figures as a table. */
export function FlowChart({
  flows,
  end,
  label,
  nameOf,
  textOf,
  selected,
  narrow = false,
}: {
  flows: readonly Flow[]
  end: string
  /** Text alternative of the diagram. */
  label: string
  nameOf: (step: string) => string
  textOf: (weight: number) => string
  /** The flow whose bands are emphasised. */
  selected: string | undefined
  /** For a phone: at most three columns, which fit without scrolling. */
  narrow?: boolean
}) {
  const box = boxes[narrow ? 'narrow' : 'wide']
  const { nodes, bands } = useMemo(() => computeFlowLayout(flows, end, box), [flows, end, box])
  const colorOf = useMemo(() => {
    const weights = new Map<string, number>()
    for (const { step, weight } of nodes)
      if (step !== end) weights.set(step, (weights.get(step) ?? 0) + weight)
    const ranked = [...weights].toSorted((a, b) => b[1] - a[1]).map(([step]) => step)
    return (step: string) => (step === end ? 'var(--text)' : (colors[ranked.indexOf(step)] ?? OTHER_COLOR))
  }, [nodes, end])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be focusable by keyboard
    <section className="flow-scroll" aria-label={label} tabIndex={0}>
      <svg
        className={narrow ? 'flow narrow' : 'flow'}
        viewBox={`-4 -16 ${box.width + box.labelRoom + 8} ${box.height + 32}`}
        role="img"
        aria-label={label}
      >
        {bands.map((band) => (
          <path
            key={band.id}
            d={band.path}
            fill={colorOf(band.from.step)}
            className={selected !== undefined && band.keys.has(selected) ? 'band selected' : 'band'}
          >
            <title>{`${nameOf(band.from.step)} → ${nameOf(band.to.step)}: ${textOf(band.weight)}`}</title>
          </path>
        ))}
        {nodes.map((node) => (
          <g key={node.id}>
            <rect
              x={node.x}
              y={node.y}
              width={box.nodeWidth}
              height={Math.max(1, node.height)}
              rx={2}
              fill={colorOf(node.step)}
            />
            <text x={node.x + box.nodeWidth + 7} y={node.y + node.height / 2 - 2}>
              {nameOf(node.step)}
            </text>
            <text x={node.x + box.nodeWidth + 7} y={node.y + node.height / 2 + 12} className="weight">
              {textOf(node.weight)}
            </text>
          </g>
        ))}
      </svg>
    </section>
  )
}
