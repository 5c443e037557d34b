import { expect, it } from 'vitest'
import { linkTo } from './report.ts'

it('a link to a report contains explicit days and the model', () => {
  const report = { range: { from: '2026-05-04', to: '2026-05-31' }, model: 'last_touch' } as const
  expect(linkTo('https://whence.example/p/1/campaigns?preset=28d&level=ad', report)).toBe(
    'https://whence.example/p/1/campaigns?level=ad&from=2026-05-04&to=2026-05-31&model=last_touch',
  )
})
