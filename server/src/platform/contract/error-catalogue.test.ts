import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { errorCatalogue } from './error-catalogue.ts'

const source = new URL('../../', import.meta.url)

/** Naming a code in a contract, or in the table that adds codes to contracts, raises nothing. */
const declares = /(^|\/)(contract|error-catalogue|openapi)\.ts$|\.test\.ts$/

it('every code of the catalogue is raised somewhere', () => {
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !declares.test(name))
    .map((name) => readFileSync(new URL(name, source), 'utf8'))
    .join('\n')
  const unused = Object.keys(errorCatalogue).filter((name) => !code.includes(`'${name}'`))
  expect(unused).toEqual([])
})
