import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { navPages } from '../../shell/navigation.ts'
import { readGuide, readRuns, slug } from './guide.ts'

const guide = readGuide(readFileSync(new URL('../../../../docs/console.md', import.meta.url), 'utf8'))

it('every page of the menu has a section', () => {
  const ids = new Set(guide.flatMap((block) => (block.kind === 'heading' ? block.id : [])))
  expect(
    navPages.map(({ label }) => label).filter((label) => !ids.has(slug(label))),
    'Add a section with this heading to docs/console.md',
  ).toEqual([])
  expect(ids.has('why')).toBe(true)
})

it('the guide uses only Markdown that the page can render', () => {
  const texts = guide.flatMap((block) => (block.kind === 'text' ? block.text : []))
  expect(texts.filter((text) => /^([-*>|#]|\d+\.|```)/.test(text))).toEqual([])
})

it('reads bold, code and links', () => {
  expect(readRuns('**All** of `X`, see [it](it.md).')).toEqual([
    { text: 'All', as: 'strong' },
    { text: ' of ', as: 'plain' },
    { text: 'X', as: 'code' },
    { text: ', see it.', as: 'plain' },
  ])
})
