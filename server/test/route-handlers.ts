/** Parses routes files: which contract entry each `route(…)` or `bind(…)` binds, and which functions it calls. */
import { readFileSync } from 'node:fs'

export type RouteHandler = {
  /** The entry's name in the contract. */
  entry: string
  /** Exported names, with the file they are imported from. */
  calls: { name: string; from: string }[]
}

export function routeHandlersOf(file: string): RouteHandler[] {
  const text = readFileSync(file, 'utf8')
  const imported = importedNames(text)
  const written = [...text.matchAll(/\broute\(\s*(?:\w+\.)?(\w+)\s*,/g)].map((match) => {
    const handler = firstArgument(text.slice(match.index + match[0].length))
    return { entry: match[1]!, calls: callsIn(handler, imported) }
  })
  const bound = [...text.matchAll(/\bbind\(\w+,\s*\{([^}]*)\}/g)].flatMap(([, pairs]) =>
    Array.from(pairs!.matchAll(/(\w+):\s*(\w+\.\w+)/g), ([, entry, operation]) => ({
      entry: entry!,
      calls: callsIn(`${operation}(`, imported),
    })),
  )
  return [...written, ...bound]
}

/** Exported names by local name; `*` for a namespace. */
function importedNames(text: string): Map<string, { name: string; from: string }> {
  const names = new Map<string, { name: string; from: string }>()
  for (const [, list, from] of text.matchAll(/^import\s+(?!type\b)([^'"]+?)\s+from\s+'([^']+)'/gm)) {
    const namespaceImport = /^\*\s+as\s+(\w+)$/.exec(list!)
    if (namespaceImport) names.set(namespaceImport[1]!, { name: '*', from: from! })
    for (const part of /\{([^}]*)\}/.exec(list!)?.[1]?.split(',') ?? []) {
      const [name, local = name] = part.trim().split(/\s+as\s+/)
      if (name && !name.startsWith('type ')) names.set(local!, { name, from: from! })
    }
  }
  return names
}

/** The text up to the comma or bracket that ends the argument. */
function firstArgument(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++
    else if (')]}'.includes(text[at]!)) depth--
    if (depth < 0 || (depth === 0 && text[at] === ',')) return text.slice(0, at)
  }
  return text
}

function callsIn(handler: string, imported: ReturnType<typeof importedNames>): RouteHandler['calls'] {
  return [...handler.matchAll(/(?<![\w.])(?:(\w+)\.)?(\w+)\(/g)].flatMap(([, namespace, name]) => {
    const source = imported.get(namespace ?? name!)
    if (source === undefined || (source.name === '*') !== (namespace !== undefined)) return []
    return [{ name: namespace === undefined ? source.name : name!, from: source.from }]
  })
}
