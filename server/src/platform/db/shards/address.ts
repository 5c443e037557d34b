/**
 * Rewrites a statement about one profile to use the tables of its shard: `from events` becomes
 * `from events_102040 as events`. PostgreSQL then plans it normally and caches the plan; for the distributed table Citus
 * would plan it each time, generate the shard's SQL and have that planned again.
 *
 * Only names in table position are replaced. A statement that also needs other tables is unchanged and goes through Citus,
 * which is slower but correct.
 */

/**
 * Local name of each table on this node: a shard of a distributed table, or the node's read-only copy of a
 * reference table; null if it is on another node.
 */
export type ShardTables = ReadonlyMap<string, { name: string; kind: 'shard' | 'copy' } | null>

type Token = { text: string; start: number; kind: 'word' | 'name' | 'other' }

const tokens =
  /\s+|--[^\n]*|\/\*[\s\S]*?\*\/|(e?'(?:[^'\\]|''|\\.)*')|("(?:[^"]|"")+")|([a-z_][\w$]*)|(\$?\d[\w.]*)|(.)/gis

function tokensOf(sql: string): Token[] {
  const result: Token[] = []
  for (const match of sql.matchAll(tokens)) {
    const [text, quoted, name, word] = match
    if (/^(?:\s|--|\/\*)/.test(text)) continue
    const start = match.index
    if (name !== undefined) result.push({ text: name.slice(1, -1), start, kind: 'name' })
    else if (word !== undefined) result.push({ text: word.toLowerCase(), start, kind: 'word' })
    else result.push({ text: quoted === undefined ? text : "''", start, kind: 'other' })
  }
  return result
}

/** Keywords that precede a table name. */
const introducing = new Set(['from', 'join', 'into', 'update', 'using'])
/** Keywords that end a list of tables. */
const endings = new Set([
  'where',
  'group',
  'order',
  'having',
  'limit',
  'offset',
  'returning',
  'set',
  'select',
  'union',
  'except',
  'intersect',
  'values',
  'window',
])
/** Keywords that can follow a table and are not its alias. */
const following = new Set([
  ...endings,
  ...introducing,
  'on',
  'inner',
  'left',
  'right',
  'full',
  'cross',
  'natural',
  'default',
  'overriding',
  'for',
  'fetch',
  'tablesample',
  'lateral',
])
/** `extract(year from …)`: the following name is not a table. */
const functionsWithFrom = new Set(['extract', 'substring', 'trim', 'overlay', 'position'])

export function addressToShard(sql: string, tables: ShardTables): string {
  const all = tokensOf(sql)
  const ctes = cteNames(all)
  const written = writtenTables(all)
  /** By depth of parentheses: whether a comma is followed by a table, and whether `from` is. */
  const levels = [{ inList: false, takesFrom: true }]
  let result = ''
  let copiedUntil = 0
  for (const [at, token] of all.entries()) {
    const level = levels.at(-1)!
    if (token.text === '(' && token.kind === 'other') {
      levels.push({ inList: false, takesFrom: !functionsWithFrom.has(all[at - 1]?.text ?? '') })
      continue
    }
    if (token.text === ')' && token.kind === 'other') {
      levels.pop()
      continue
    }
    if (token.kind === 'word' && (token.text === 'from' || token.text === 'using') && level.takesFrom)
      level.inList = true
    else if (token.kind === 'word' && endings.has(token.text)) level.inList = false
    if (token.kind === 'other' || !isTablePlace(all, at, level)) continue
    const table = tables.get(token.text)
    if (table === undefined || ctes.has(token.text)) continue
    if (table === null || (table.kind === 'copy' && written.has(token.text))) return sql
    const end = token.start + token.text.length + (token.kind === 'name' ? 2 : 0)
    result += `${sql.slice(copiedUntil, token.start)}"${table.name}"${hasAlias(all[at + 1]) ? '' : ` as "${token.text}"`}`
    copiedUntil = end
  }
  return result + sql.slice(copiedUntil)
}

function isTablePlace(
  all: readonly Token[],
  at: number,
  level: { inList: boolean; takesFrom: boolean },
): boolean {
  const before = all[at - 1]
  const after = all[at + 1]
  if (before === undefined || after?.text === '.' || !level.takesFrom) return false
  if (before.kind === 'other') return before.text === ',' && level.inList && after?.text !== '('
  if (before.kind !== 'word' || !introducing.has(before.text)) return false
  if (before.text === 'from' && all[at - 2]?.text === 'distinct' && all[at - 3]?.text !== 'select')
    return false
  // A function, unless columns follow.
  return before.text === 'into' || after?.text !== '('
}

function hasAlias(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'other' && !following.has(token.text)
}

/** CTE names, which hide tables of the same name. */
function cteNames(all: readonly Token[]): Set<string> {
  const names = new Set<string>()
  for (const [at, token] of all.entries()) {
    if (token.text !== 'as' || token.kind !== 'word') continue
    const materialized =
      all[at + 1]?.text === 'materialized' ? 1 : all[at + 2]?.text === 'materialized' ? 2 : 0
    if (all[at + 1 + materialized]?.text === '(') names.add(all[at - 1]?.text ?? '')
  }
  return names
}

/** `insert into`, `update` and `delete from`. */
function writtenTables(all: readonly Token[]): Set<string> {
  const names = new Set<string>()
  for (const [at, token] of all.entries()) {
    if (token.kind !== 'word') continue
    const isWrite =
      token.text === 'into' ||
      token.text === 'update' ||
      (token.text === 'from' && all[at - 1]?.text === 'delete')
    if (isWrite) names.add(all[at + 1]?.text ?? '')
  }
  return names
}
