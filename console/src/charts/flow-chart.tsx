import { useMemo } from 'react'
import { type Flow, layOut } from './flow-layout.ts'

const box = { width: 860, height: 320, nodeWidth: 12, gap: 26 }
const LABEL_ROOM = 150
const colors = ['var(--chart-1)', 'var(--chart-3)', 'var(--chart-4)', 'var(--chart-5)']
const REST = 'var(--chart-2)'

/** Bands from step to step, as wide as what flows. The same figures are in a table next to it. */
export function FlowChart({
  flows,
  end,
  label,
  nameOf,
  textOf,
  selected,
}: {
  flows: readonly Flow[]
  end: string
  /** What the picture shows, in a sentence. */
  label: string
  nameOf: (step: string) => string
  textOf: (weight: number) => string
  /** The flow whose bands are emphasised. */
  selected: string | undefined
}) {
  const { nodes, bands } = useMemo(() => layOut(flows, end, box), [flows, end])
  const colorOf = useMemo(() => {
    const weights = new Map<string, number>()
    for (const { step, weight } of nodes)
      if (step !== end) weights.set(step, (weights.get(step) ?? 0) + weight)
    const ranked = [...weights].toSorted((a, b) => b[1] - a[1]).map(([step]) => step)
    return (step: string) => (step === end ? 'var(--text)' : (colors[ranked.indexOf(step)] ?? REST))
  }, [nodes, end])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
    <section className="flow-scroll" aria-label={label} tabIndex={0}>
      <svg
        className="flow"
        viewBox={`-4 -16 ${box.width + LABEL_ROOM + 8} ${box.height + 32}`}
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
