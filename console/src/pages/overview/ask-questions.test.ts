import { describe, expect, it } from 'vitest'
import { examples, readQuestion } from './ask-questions.ts'

const pageRange = { from: '2026-01-01', to: '2026-01-31' }
const read = (text: string) => readQuestion(text, pageRange, '2026-05-15')
const week = { from: '2026-05-08', to: '2026-05-14' }
const month = { from: '2026-04-17', to: '2026-05-14' }

describe('a question', () => {
  it('from the examples is recognised', () => {
    expect(examples.map((text) => read(text))).toEqual([
      { id: 'lost', range: week },
      { id: 'gained', range: week },
      { id: 'roas', range: week },
      { id: 'changed', range: month },
      { id: 'best', range: month },
      { id: 'spent', range: week },
      { id: 'earned', range: { from: '2026-05-14', to: '2026-05-14' } },
      { id: 'unattributed', range: month },
      { id: 'paid', amount: '129.90' },
      { id: 'data' },
    ])
  })

  it('in other words is recognised, with the page’s days if it names none', () => {
    expect(read('why did ROAS drop')).toEqual({ id: 'roas', range: pageRange })
    expect(read('WHO PAID €129,90 ?')).toEqual({ id: 'paid', amount: '129.90' })
    expect(read('what is our best campaign today')).toEqual({
      id: 'best',
      range: { from: '2026-05-15', to: '2026-05-15' },
    })
    expect(read('is there a problem with my data')).toEqual({ id: 'data' })
  })

  it.each([
    ['1,299', '1299'],
    ['1,299.00', '1299.00'],
    ['1.299,00', '1299.00'],
    ['1 299,00 EUR', '1299.00'],
    ['129,90', '129.90'],
    ['$1,234,567.', '1234567'],
    ['1299', '1299'],
    ['12,34,56', null],
    ['5k', null],
    ['-50', null],
    ['10 or 20', null],
  ])('parses the amount %s as %s', (text, amount) =>
    expect(read(`Who paid ${text}?`)).toEqual({ id: 'paid', amount }),
  )

  it.each([
    '',
    'hello',
    'who paid?',
    'write me a poem',
    'what will happen next year',
    'delete all campaigns',
  ])('of another kind is not answered: %s', (text) => expect(read(text)).toBeNull())
})
