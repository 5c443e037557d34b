import { MAX_IMPORT_ROWS, SpendRow } from '@whence/server/features/sources/imports/contract.ts'
import { expect, it } from 'vitest'
import { MAX_ROWS_PER_REQUEST, readSpendCsv } from './spend-csv.ts'

const head = 'source,level,campaign_id,campaign_name,date,spend,currency'

it('parses quoted names and validates each line by the server’s rules', () => {
  const { lines, problem } = readSpendCsv(
    `${head}\r\npodcast,campaign,spring,"Spring, ""loud""",2026-03-01,120.5,EUR\n\npodcast,campaign,spring,,01.03.2026,1,EUR\npodcast,campaign,,,2026-03-01,1,EUR\npodcast,campaign,a,,2026-03-01,much,EUR\n`,
  )
  expect(problem).toBeNull()
  expect(lines.map(({ number, problem: wrong }) => [number, wrong])).toEqual([
    [2, null],
    [4, 'date: must be a date of the form YYYY-MM-DD'],
    [5, 'campaign_id: required at the level campaign'],
    [6, 'spend: must be a number such as 12.50'],
  ])
  expect(lines[0]!.values.campaign_name).toBe('Spring, "loud"')
})

it.each([
  ['', 'The file is empty.'],
  [head, 'The file has no lines below the column names.'],
])('a file of %j reports its problem', (text, problem) => {
  expect(readSpendCsv(text).problem).toBe(problem)
})

it('names unknown columns', () => {
  expect(readSpendCsv('source,cost\npodcast,1').problem).toMatch(
    /^Unknown column cost\. Valid columns are source, level/,
  )
})

it('explains what each field accepts', () => {
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

it('accepts and rejects the same values as the server, for each column', () => {
  const good = {
    source: 'podcast',
    level: 'ad',
    campaign_id: 'c',
    ad_id: 'a',
    date: '2026-03-01',
    spend: '1',
  }
  const texts = [
    '',
    '7',
    '1.5',
    'EUR',
    'eur',
    'euro',
    '-1',
    'Podcast',
    '2026-02-30',
    'ad_set',
    '0'.repeat(16),
  ]
  const lengths = [40, 41, 128, 129, 500, 501].map((length) => 'x'.repeat(length))
  for (const column of Object.keys(SpendRow.shape))
    for (const text of [...texts, ...lengths]) {
      const values: Record<string, string> = { ...good, [column]: text }
      // The server checks the spend's number and the id of the level after the schema.
      if (column === 'spend' || column === `${values.level}_id`) continue
      if (column === 'level' && text === 'ad_set') values.ad_set_id = 's'
      const names = Object.keys(values)
      const cells = names.map((name) => values[name])
      const [line] = readSpendCsv(`${names.join(',')}\n${cells.join(',')}`).lines
      expect([column, text, line!.problem === null]).toEqual([
        column,
        text,
        SpendRow.safeParse(values).success,
      ])
      if (line!.row !== null) expect(SpendRow.parse(line!.row)).toEqual(SpendRow.parse(values))
    }
  expect(MAX_ROWS_PER_REQUEST).toBe(MAX_IMPORT_ROWS)
})
