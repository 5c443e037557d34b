import { expect, it } from 'vitest'
import { linkTo } from './report.ts'

it('a link to a report names its days and model, however they were chosen', () => {
  const shown = { range: { from: '2026-05-04', to: '2026-05-31' }, model: 'last_touch' } as const
  expect(linkTo('https://whence.example/p/1/campaigns?preset=28d&level=ad', shown)).toBe(
    'https://whence.example/p/1/campaigns?level=ad&from=2026-05-04&to=2026-05-31&model=last_touch',
  )
})
