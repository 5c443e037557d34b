/** Handles a GraphQL request like the platform: parse, validate against the schema, compute the cost, execute. */
import {
  type DocumentNode,
  defaultFieldResolver,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  getNamedType,
  isCompositeType,
  Kind,
  parse,
  type SelectionSetNode,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { SandboxReply } from '../sandbox.ts'
import { adminSchema } from './admin-schema.ts'

/** Maximum cost of a query and maximum page size (https://shopify.dev/docs/api/usage/limits, read 2026-11-16). */
const MAX_COST = 1_000
const MAX_FIRST = 250

type Json = Record<string, unknown>
export type Resolvers = Record<string, (args: Json) => unknown>

export async function answerGraphql(
  body: { query?: unknown; operationName?: unknown; variables?: unknown },
  resolvers: Resolvers,
  deniedFields: ReadonlySet<string>,
): Promise<SandboxReply> {
  const variables = (body.variables ?? {}) as Json
  const document = read(String(body.query ?? ''))
  if (document instanceof GraphQLError) return errorReply([document], 'undefined')
  const problems = validate(adminSchema, document)
  if (problems.length > 0) return errorReply(problems, 'undefinedField')
  const limits = limitsOf(document, variables)
  if (limits.first > MAX_FIRST)
    return errorReply(
      [new GraphQLError(`first cannot be greater than ${MAX_FIRST}`)],
      'argumentLiteralsIncompatible',
    )
  if (limits.cost > MAX_COST)
    return errorReply(
      [
        new GraphQLError(
          `Query cost is ${limits.cost}, which exceeds the single query max cost limit (${MAX_COST}).`,
        ),
      ],
      'MAX_COST_EXCEEDED',
    )
  const result = await execute({
    schema: adminSchema,
    document,
    rootValue: resolvers,
    variableValues: variables,
    operationName: body.operationName === undefined ? null : String(body.operationName),
    fieldResolver: resolverWithout(deniedFields),
  })
  const cost = {
    requestedQueryCost: limits.cost,
    throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 2000 - limits.cost, restoreRate: 100 },
  }
  return {
    status: 200,
    body: {
      ...(result.errors === undefined ? {} : { errors: result.errors.map((error) => error.toJSON()) }),
      data: result.data ?? null,
      extensions: { cost },
    },
  }
}

function read(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query)
  } catch (error) {
    return error as GraphQLError
  }
}

const errorReply = (errors: readonly GraphQLError[], code: string): SandboxReply => ({
  status: 200,
  body: { errors: errors.map(({ message }) => ({ message, extensions: { code } })) },
})

/** A field that the app is not approved for is null, with an error that names it. */
function resolverWithout(denied: ReadonlySet<string>): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => {
    const field = `${info.parentType.name}.${info.fieldName}`
    if (!denied.has(field)) return defaultFieldResolver(source, args, context, info)
    throw new GraphQLError(`Access denied for ${info.fieldName} field.`, {
      extensions: { code: 'ACCESS_DENIED', documentation: 'https://shopify.dev/api/usage/access-scopes' },
    })
  }
}

/** An object costs one point, a connection its page size; costs of nested connections are multiplied. */
function limitsOf(document: DocumentNode, variables: Json): { cost: number; first: number } {
  const info = new TypeInfo(adminSchema)
  const factors: number[] = []
  let cost = 0
  let most = 0
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter(node) {
          const type = info.getType()
          const namedType = type == null ? undefined : getNamedType(type)
          const around = factors.at(-1) ?? 1
          const firstArgument = node.arguments?.find(({ name }) => name.value === 'first')?.value
          const first =
            firstArgument?.kind === Kind.INT
              ? Number(firstArgument.value)
              : firstArgument?.kind === Kind.VARIABLE
                ? Number(variables[firstArgument.name.value])
                : 1
          most = Math.max(most, first)
          const isConnection = namedType?.name.endsWith('Connection') === true
          if (isComposite(node.selectionSet) && isCompositeType(namedType) && !isConnection) cost += around
          factors.push(isConnection ? around * first : around)
        },
        leave() {
          factors.pop()
        },
      },
    }),
  )
  return { cost, first: most }
}

const isComposite = (set: SelectionSetNode | undefined) => set !== undefined
