import { writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { routes } from '../../src/app.ts'
import type { Endpoint } from '../../src/platform/contract/endpoint.ts'
import { EXAMPLE_ID } from '../../src/platform/contract/example-values.ts'
import { exampleOf, type RecordedAnswer, recordedAnswers } from '../../src/platform/contract/examples.ts'
import { writeJson } from '../../src/platform/http/write-json.ts'
import { contractViolation } from '../answers.ts'
import { startTestApp } from '../app.ts'
import { shortIt as it, longIt } from '../length.ts'
import { OPERATOR_EMAIL } from '../make-problems.ts'
import { presentable } from './presentable.ts'
import { RECORDED_AT, recordExamples } from './record.ts'

const file = new URL('../../src/platform/contract/recorded-answers.json', import.meta.url)
const entries = new Map<string, Endpoint>(routes.map(({ entry }) => [entry.name, entry]))

/** All values in the responses that look like real secrets or addresses. */
function revealing(answers: Record<string, RecordedAnswer>): string[] {
  const leaks: string[] = []
  JSON.stringify(answers, (name, value) => {
    if (['first_name', 'last_name', 'phone'].includes(name) && value !== null) leaks.push(`${name}: ${value}`)
    if (typeof value !== 'string') return value
    for (const [address, host] of value.matchAll(/[^\s"'<>()=:,;/]+@([\w.-]+)/g))
      if (host !== 'example.com' && !host!.endsWith('.example')) leaks.push(address)
    // Letters of both cases and digits without a space: keys, secrets, cursors and the tokens of links.
    for (const [run] of value.matchAll(/[A-Za-z0-9_+/=-]{16,}/g))
      if (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)) leaks.push(run)
    if (/127\.0\.0\.1|localhost/.test(value)) leaks.push(value)
    return value
  })
  return leaks
}

longIt(
  'records an answer of every operation that the file has',
  async () => {
    const app = await startTestApp({
      SANDBOX: 'on',
      LINK_TOKEN_SECRET: 'x'.repeat(32),
      OPERATORS: OPERATOR_EMAIL,
    })
    try {
      const recorded = await recordExamples(app)
      expect(revealing(recorded)).toEqual([])
      // Set by `npm run generate -- --examples`.
      if (process.env.RECORD_EXAMPLES === '1') await writeFile(file, `${writeJson(recorded)}\n`)
      else expect(Object.keys(recorded)).toEqual(Object.keys(recordedAnswers))
    } finally {
      await app.close()
    }
  },
  240_000,
)

it.each(Object.entries(recordedAnswers))(
  'the recorded answer of %s keeps its contract and is shown',
  (name, { request: _, ...answer }) => {
    const entry = entries.get(name)!
    expect(contractViolation(entry, entry.statuses[0]!, answer)).toBeNull()
    const { data, meta, extra } = exampleOf(entry)!
    expect({ data, meta, ...extra }).toEqual(answer)
    JSON.stringify(answer, (_, value) => {
      if (Array.isArray(value)) expect(value.length).toBeLessThan(2)
      return value
    })
  },
)

/** JSON responses without a recording, each with the reason. Do not extend this list. */
const notRecorded: Record<string, string> = {}

it('has a recorded response for every operation that returns JSON', () => {
  const answersJson = ({ statuses, file, retired }: Endpoint) =>
    !statuses.includes(204) && file === undefined && retired === undefined
  const names = [...entries.values()].filter(answersJson).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(250)
  expect(
    names.filter((name) => !(name in recordedAnswers)),
    'Request these operations in record.ts or a file next to it, then run `npm run generate -- --examples`',
  ).toEqual(Object.keys(notRecorded))
})

it('has the most important examples as recorded', () => {
  expect(recordedAnswers.listCampaigns!.data).toMatchObject([
    { campaign_name: 'Spring collection', outcome_count: 1 },
  ])
  expect(revealing(recordedAnswers as Record<string, RecordedAnswer>)).toEqual([])
})

it('shortens lists, renumbers ids, fixes times and hides secrets', () => {
  const id = 'b5b0e4f0-4c1e-4b7e-9d3c-2f6a54b0c1aa'
  const presented = presentable(
    {
      one: {
        data: [
          { id, value: 0 },
          { id, value: 3 },
        ],
        meta: {
          key: `whence_live_Ab3Ab3Ab3A_${'x9Y'.repeat(16)}`,
          secret: `whsec_${'Ab3/'.repeat(8)}`,
          url: `http://127.0.0.1:4/connect/${'Ab3_'.repeat(8)}/start`,
          by_service: '2026-02-01T10:00:04.120Z',
          by_machine: '2026-11-16T05:00:07.300Z',
          before: '2026-01-15T10:00:00.000Z',
        },
      },
    },
    {
      ids: {},
      texts: { 'http://127.0.0.1:4': 'https://whence.example' },
      recordedAt: RECORDED_AT,
      machineNow: new Date('2026-11-16T05:00:08Z'),
    },
  )
  expect(revealing(presented)).toEqual([])
  expect(presented.one).toMatchObject({
    data: [{ id: EXAMPLE_ID, value: 3 }],
    meta: {
      url: 'https://whence.example/connect/TOKEN/start',
      by_service: '2026-02-01T10:00:00.000Z',
      by_machine: '2026-02-01T10:00:00.000Z',
      before: '2026-01-15T10:00:00.000Z',
    },
  })
})
