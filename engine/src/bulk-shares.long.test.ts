import { expect, it } from 'vitest'
import { BulkAttribution, defaultSettings, joinShares, Rollups } from './index.ts'

it('the bulk path sums a million shares of one third with an error below 1e-9', () => {
  const rollups = new Rollups()
  const bulk = new BulkAttribution(defaultSettings, rollups)
  for (let round = 0; round < 1000; round++) {
    bulk.chunk.reset()
    for (let n = 0; n < 1000; n++) {
      bulk.chunk.beginCustomer()
      for (const ad of [1, 2, 3]) bulk.chunk.addTouch(ad * 1000, false, 0, 0, ad)
      bulk.chunk.addConversion(1_000_000, 100, 5, 0)
    }
    bulk.attributeChunk()
  }
  for (const row of rollups.rows().filter(({ level }) => level === 2)) {
    const [high, low] = row.shares
    expect(Math.abs(joinShares(high!, low!) - 1_000_000 / 3)).toBeLessThan(1e-9)
  }
})
