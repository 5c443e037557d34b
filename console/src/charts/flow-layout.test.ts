import { expect, it } from 'vitest'
import { computeFlowLayout } from './flow-layout.ts'

const box = { width: 900, height: 300, nodeWidth: 10, gap: 20 }
const flows = [
  { key: 'a', steps: ['social', 'email'], weight: 3 },
  { key: 'b', steps: ['email'], weight: 2 },
  { key: 'c', steps: ['direct'], weight: 1 },
]

it('every flow ends in the last column', () => {
  const { nodes, columns } = computeFlowLayout(flows, 'sale', box)
  expect(columns).toBe(3)
  expect(nodes.map(({ id, weight }) => [id, weight])).toEqual([
    ['0 social', 3],
    ['1 email', 5],
    ['2 sale', 6],
    ['1 direct', 1],
  ])
  expect(nodes.find(({ step }) => step === 'sale')).toMatchObject({ x: 890 })
})

it('node heights are proportional to weight, and nodes do not overlap', () => {
  const { nodes } = computeFlowLayout(flows, 'sale', box)
  const scale = (300 - 20) / 6
  for (const { weight, height, y } of nodes) {
    expect(height).toBeCloseTo(weight * scale, 1)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y + height).toBeLessThanOrEqual(300.1)
  }
  const [email, direct] = ['email', 'direct'].map((step) => nodes.find((node) => node.step === step)!)
  expect(direct!.y).toBeCloseTo(email!.y + email!.height + 20, 1)
})

it('inflow and outflow equal the weight of a node', () => {
  const { nodes, bands } = computeFlowLayout(flows, 'sale', box)
  for (const node of nodes) {
    const sum = (side: 'from' | 'to') =>
      bands.filter((band) => band[side] === node).reduce((total, { weight }) => total + weight, 0)
    if (node.column > 0 && node.step === 'sale') expect(sum('to')).toBe(node.weight)
    if (node.step !== 'sale') expect(sum('from')).toBe(node.weight)
  }
  const shared = bands.find(({ id }) => id === '1 email > 2 sale')!
  expect([...shared.keys]).toEqual(['a', 'b'])
})

it('no flows give an empty layout', () => {
  expect(computeFlowLayout([], 'sale', box)).toEqual({ nodes: [], bands: [], columns: 2 })
})
