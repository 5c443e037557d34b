/** Keeps documents consistent with each other, with the code and with the API. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const records = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))

describe('decision records', () => {
  it('have a title, a date and a status, and fit a page and a half', () => {
    const bad = records.filter((name) => {
      const text = read(`docs/decisions/${name}`).trimEnd()
      const lines = text.split('\n')
      const isHeaded = /^# \S/.test(lines[0]!) && /^\*\d{4}-\d\d-\d\d · (accepted|superseded)/.test(lines[2]!)
      return !isHeaded || lines.length > 60 || text.split(/\s+/).length > 1000
    })
    expect(records.length).toBeGreaterThan(30)
    expect(bad).toEqual([])
  })

  it('have unique numbers', () => {
    const numbers = records.map((name) => name.slice(0, 4))
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([])
  })

  it('exist if code or documents refer to them', () => {
    const known = new Set(records.map((name) => name.slice(0, 4)))
    const readable = files.filter((path) => /\.(ts|tsx|mjs|md)$/.test(path) && !path.includes('migrations/'))
    const dangling = readable.flatMap((path) =>
      [...read(path).matchAll(/decisions\/(\d{4})/g)]
        .filter(([, number]) => !known.has(number!))
        .map(([name]) => `${path}: ${name}`),
    )
    expect(dangling).toEqual([])
  })
})

it('links between documents lead to a file', () => {
  const broken = files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .filter(([, target]) => !existsSync(join(root, dirname(path), target!)))
        .map(([, target]) => `${path} → ${target}`),
    )
  expect(broken).toEqual([])
})

const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** Path segments that are verbs, states or addresses. */
const notNouns = new Set(
  'api v1 me retry drop lookup test read accept adopt revoke rotate activate confirm start finalize disconnect apply dismiss undo pause resume scan decide reset pending available recorded status options preview connect rotate-secret reset-request withdraw verify prefill sign-in sign-up sign-out password auth partner settings ops origin batch keys email target logo settings spend reporting-currency api-usage'.split(
    ' ',
  ),
)

it('the glossary explains every noun of the API’s paths', () => {
  const glossary = lettersOf(read('docs/glossary.md'))
  const paths = Object.keys(JSON.parse(read('openapi.json')).paths as object)
  const parts = new Set(paths.flatMap((path) => path.split('/')).filter((part) => /^[a-z]/.test(part)))
  const singular = (part: string) => lettersOf(part.replace(/ies$/, 'y').replace(/(?<!s)s$/, ''))
  const missing = [...parts].filter((part) => !notNouns.has(part) && !glossary.includes(singular(part)))
  expect(missing).toEqual([])
})
