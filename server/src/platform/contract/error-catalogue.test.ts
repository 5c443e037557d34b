import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorCatalogue } from './error-catalogue.ts'

const source = new URL('../../', import.meta.url)

/** Mentioning a code in a contract, or in the table that adds codes to contracts, does not raise it. */
const declares = /(^|\/)(contract|error-catalogue|openapi)\.ts$|\.test\.ts$/

const textOf = (folder: URL, isRead: (name: string) => boolean) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && isRead(name))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')

it('every code of the catalogue is raised somewhere', () => {
  const code = textOf(source, (name) => !declares.test(name))
  const unused = Object.keys(errorCatalogue).filter((name) => !code.includes(`'${name}'`))
  expect(unused).toEqual([])
})

/** Excluded: tests of lists and documents, which name codes without provoking the error. */
const listsCodes = /(error-catalogue|openapi|promises\/promises\.ts|samples|every-route|healthcare-routes)/

it('some test expects every code of the catalogue as a response', () => {
  const isAnswerTest = (name: string) => name.endsWith('.test.ts') && !listsCodes.test(name)
  const tests =
    textOf(source, isAnswerTest) + textOf(new URL('../test/', source), (name) => !listsCodes.test(name))
  const codes = Object.keys(errorCatalogue)
  expect(codes.length).toBeGreaterThanOrEqual(90)
  // As `code: 'x'`, as the code next to its status, or as an element of a list of refusals.
  const expected = new Set([...tests.matchAll(/(?:['"`]|\d{3} )(\w+)(?=['"`])/g)].map((match) => match[1]))
  expect(codes.filter((code) => !expected.has(code))).toEqual([])
})
