import { expect, it } from 'vitest'
import { readSpendCsv } from './spend-csv.ts'

const head = 'source,level,campaign_id,campaign_name,date,spend,currency'

it('reads quoted names and judges each line by the rule of the service', () => {
  const { lines, problem } = readSpendCsv(
    `${head}\r\npodcast,campaign,spring,"Spring, ""loud""",2026-03-01,120.5,EUR\n\npodcast,campaign,spring,,01.03.2026,1,EUR\npodcast,campaign,,,2026-03-01,1,EUR\npodcast,campaign,a,,2026-03-01,much,EUR\n`,
  )
  expect(problem).toBeNull()
  expect(lines.map(({ number, problem: wrong }) => [number, wrong])).toEqual([
    [2, null],
    [4, 'date: must be a date of the form YYYY-MM-DD'],
    [5, 'campaign_id: needed at the level campaign'],
    [6, 'spend: must be a number such as 12.50'],
  ])
  expect(lines[0]!.values.campaign_name).toBe('Spring, "loud"')
})

it.each([
  ['', 'The file is empty.'],
  [head, 'The file has no lines below its head.'],
])('a file of %j says what is wrong with it', (text, problem) => {
  expect(readSpendCsv(text).problem).toBe(problem)
})

it('names unknown columns', () => {
  expect(readSpendCsv('source,cost\npodcast,1').problem).toMatch(
    /^Unknown column cost\. Known are source, level/,
  )
})

it('explains what a field takes', () => {
  const head = 'source,level,campaign_id,date,spend,currency,clicks'
  const lines = [
    'podcast,campaign,c,2026-03-01,1,EUR,many',
    'podcast,campain,c,2026-03-01,1,EUR,1',
    'podcast,campaign,c,,1,EUR,1',
    'podcast,campaign,c,2026-03-01,ten,EUR,1',
    'podcast,campaign,c,2026-03-01,1,euro,1',
  ]
  expect(readSpendCsv([head, ...lines].join('\n')).lines.map(({ problem }) => problem)).toEqual([
    'clicks: must be a whole number such as 1200',
    'level: must be campaign, ad_set or ad',
    'date: is missing',
    'spend: must be a number such as 12.50',
    'currency: must be a currency code such as USD',
  ])
})
