/** Checks values against the interfaces of a published package (a `.d.ts` file). */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseSync, type TSType } from 'oxc-parser'

type Members = Map<string, TSType>
type Declared = { members: Members; parents: string[] }

const packages = createRequire(import.meta.url)

/** Paths of a value that the type does not declare, or with an undeclared enum value. */
type Undeclared = (value: unknown, typeName: string) => string[]

export function publishedTypes(packageName: string, file: string): Undeclared {
  const folder = join(packages.resolve(`${packageName}/package.json`), '..')
  const interfaces = new Map<string, Declared>()
  const aliases = new Map<string, TSType>()
  const collect = (nodes: readonly unknown[]): void => {
    for (const node of nodes as { type: string; declaration?: unknown; body?: unknown }[]) {
      if (node.type === 'ExportNamedDeclaration' && node.declaration) collect([node.declaration])
      const { body } = node as { body?: { type?: string; body?: unknown[] } }
      if (node.type === 'TSModuleDeclaration' && Array.isArray(body?.body)) collect(body.body)
      if (node.type === 'TSTypeAliasDeclaration') {
        const alias = node as unknown as { id: { name: string }; typeAnnotation: TSType }
        aliases.set(alias.id.name, alias.typeAnnotation)
      }
      if (node.type === 'TSInterfaceDeclaration') {
        const { id, extends: parents } = node as unknown as {
          id: { name: string }
          extends: { expression: { name?: string } }[]
        }
        const names = parents.flatMap(({ expression }) => expression.name ?? [])
        interfaces.set(id.name, { members: membersOf(body?.body ?? []), parents: names })
      }
    }
  }
  collect(parseSync(file, readFileSync(join(folder, file), 'utf8')).program.body)

  const declared = (name: string): Members | undefined => {
    const declaration = interfaces.get(name)
    if (declaration === undefined) return undefined
    return new Map([
      ...declaration.parents.flatMap((parent) => [...(declared(parent) ?? [])]),
      ...declaration.members,
    ])
  }
  const againstMembers = (value: unknown, members: Members, path: string): string[] => {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, member]) => {
      // OData annotations belong to the protocol, not to the type.
      if (name.startsWith('@')) return []
      const type = members.get(name)
      return type === undefined ? [`${path}.${name}`] : against(member, type, `${path}.${name}`)
    })
  }
  const againstName = (value: unknown, name: string, path: string): string[] => {
    const members = declared(name)
    if (members !== undefined) return againstMembers(value, members, path)
    const alias = aliases.get(name)
    return alias === undefined ? [] : against(value, alias, path)
  }
  /** A value fits a union if it fits one of its parts. */
  const against = (value: unknown, type: TSType, path: string): string[] => {
    switch (type.type) {
      case 'TSArrayType':
        return Array.isArray(value)
          ? value.flatMap((item) => against(item, type.elementType, `${path}[]`))
          : [path]
      case 'TSTypeLiteral':
        return againstMembers(value, membersOf(type.members), path)
      case 'TSUnionType': {
        const tried = type.types.map((part) => against(value, part, path))
        return tried.find((wrong) => wrong.length === 0) ?? tried.toSorted((a, b) => a.length - b.length)[0]!
      }
      case 'TSLiteralType':
        return 'value' in type.literal && type.literal.value === value ? [] : [`${path}: ${value}`]
      case 'TSStringKeyword':
        return typeof value === 'string' ? [] : [path]
      case 'TSNumberKeyword':
        return typeof value === 'number' ? [] : [path]
      case 'TSBooleanKeyword':
        return typeof value === 'boolean' ? [] : [path]
      case 'TSNullKeyword':
        return value === null ? [] : [path]
      case 'TSTypeReference': {
        const name = 'name' in type.typeName ? type.typeName.name : ''
        const [first] = type.typeArguments?.params ?? []
        if (name === 'NullableOption' && first !== undefined)
          return value === null ? [] : against(value, first, path)
        return againstName(value, name, path)
      }
      default:
        return []
    }
  }
  return (value, name) => {
    if (!interfaces.has(name)) throw new Error(`${packageName} declares no ${name}`)
    return [...new Set(againstName(value, name, name))]
  }
}

function membersOf(body: readonly unknown[]): Members {
  return new Map(
    (body as { key?: { name?: string }; typeAnnotation?: { typeAnnotation: TSType } | null }[]).flatMap(
      ({ key, typeAnnotation }) =>
        key?.name === undefined || !typeAnnotation ? [] : [[key.name, typeAnnotation.typeAnnotation]],
    ),
  )
}
