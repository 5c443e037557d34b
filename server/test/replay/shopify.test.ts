/**
 * Every document that the storefront connector sends, and the sandbox's part of the schema, against Shopify's complete
 * GraphQL Admin schema of the version in use, and orders from another client's tests (README.md lists the sources).
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { adminSchema } from '@whence/sandbox/storefront/admin-schema.ts'
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  validate,
} from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { OrderPayload, refundedOrder, toRecords } from '../../src/connectors/storefront/mapping.ts'
import * as queries from '../../src/connectors/storefront/queries.ts'
import { apiVersions } from '../../src/connectors/versions.ts'
import { published, withoutAside } from './published.ts'

const { version } = apiVersions.storefront
let publishedSchema: GraphQLSchema
beforeAll(() => {
  const file = new URL(`./shopify/admin-${version}.graphql.br`, import.meta.url)
  publishedSchema = buildSchema(brotliDecompressSync(readFileSync(file)).toString(), { assumeValidSDL: true })
})

const messagesOf = (document: string) =>
  validate(publishedSchema, parse(document)).map(({ message }) => message)

test('the schema is complete', () => {
  expect(Object.keys(publishedSchema.getTypeMap()).length).toBeGreaterThan(3000)
  expect(messagesOf('{ shop { name colour } }')).toEqual(['Cannot query field "colour" on type "Shop".'])
})

test.each(Object.entries(queries))('%s is valid in the complete schema', (_, document) => {
  expect(messagesOf(document)).toEqual([])
})

/** The sandbox's schema, with one line per field, argument and enum value. */
function linesOf(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`)
  if (isUnionType(type)) return type.getTypes().map(({ name }) => `${type.name} | ${name}`)
  if (isInputObjectType(type))
    return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`)
  if (!isObjectType(type) && !isInterfaceType(type)) return [type.name]
  return Object.values(type.getFields()).flatMap((field) => [
    `${type.name}.${field.name}: ${field.type}`,
    ...field.args.map((argument) => `${type.name}.${field.name}(${argument.name}: ${argument.type})`),
  ])
}

test('the schema of the sandbox is a subset with the same types', () => {
  const sandboxTypes = Object.values(adminSchema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type),
  )
  expect(sandboxTypes.length).toBeGreaterThan(20)
  const published = new Set(
    sandboxTypes.flatMap(({ name }) => linesOf(publishedSchema.getType(name) ?? never(name))),
  )
  expect(sandboxTypes.flatMap(linesOf).filter((line) => !published.has(line))).toEqual([])
})

test('an order and a refund of the REST resources, the format of webhooks', () => {
  const { order, refund } = published<{ order: { order: unknown }; refund: { refund: unknown } }>(
    'shopify/rest.json',
  )
  expect(toRecords(OrderPayload.parse(order.order)).map(withoutAside)).toMatchObject([
    {
      type: 'outcome',
      externalId: '450789469',
      outcomeType: 'order_placed',
      occurredAt: '2008-01-10T16:00:00.000Z',
      value: { amountMinor: 40_994, currency: 'USD' },
      person: { email: 'bob.norman@hostmail.com', contactId: '207119551', country: 'US' },
    },
    { type: 'payment', status: 'pending', amount: { amountMinor: 40_994, currency: 'USD' } },
    { type: 'order_status', status: 'authorized' },
  ])
  expect(refundedOrder(refund.refund)).toBe('450789469')
})

function never(name: string): never {
  throw new Error(`The platform has no type ${name}`)
}
