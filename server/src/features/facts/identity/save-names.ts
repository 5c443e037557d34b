/** Maintains the search index of names from the traits. Callers hold the profile's lock. */
import { sql } from 'kysely'
import { texts, uuidList, uuids } from '../../../platform/db/bulk/columns.ts'
import { type Db, plainArray, type Tx } from '../../../platform/db/database.ts'
import { anchoredProfileId, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import type { IdentityScope } from './identifiers.ts'
import { NAME_TRAITS, nameTokens } from './name-tokens.ts'

type Scope = Pick<IdentityScope, 'profileId' | 'pepper'>
type Trait = { identifierId: string; trait: string; value: string }
type Tokens = { identifierId: string; tokens: readonly string[] }

const isName = ({ trait }: Trait) => (NAME_TRAITS as readonly string[]).includes(trait)

/** Updates the index after traits were removed and added. */
export async function indexNames(
  tx: Tx,
  scope: Scope,
  change: { removed: readonly Trait[]; added: readonly Trait[] },
): Promise<void> {
  const stale = new Set(change.removed.filter(isName).map((row) => row.identifierId))
  await rebuildNames(tx, scope, [...stale])
  await addNames(
    tx,
    scope,
    change.added.filter((row) => isName(row) && !stale.has(row.identifierId)),
  )
}

/** Writes nothing if the name is indexed already, which is the case for most events. */
async function addNames(tx: Tx, scope: Scope, names: readonly Trait[]): Promise<void> {
  if (names.length === 0) return
  const namesByIdentifier = Map.groupBy(names, (row) => row.identifierId)
  const stored = await loadTokens(tx, scope.profileId, [...namesByIdentifier.keys()])
  const changed = [...namesByIdentifier].flatMap(([identifierId, rows]): Tokens[] => {
    const before = stored.get(identifierId)
    const added = nameTokens([...new Set(rows.map((row) => row.value))], scope)
    const all = new Set([...(before ?? []), ...added])
    return before !== undefined && all.size === before.length ? [] : [{ identifierId, tokens: [...all] }]
  })
  await saveTokens(tx, scope.profileId, changed)
}

/** Rebuilds the index of these identifiers from the stored traits. */
export async function rebuildNames(tx: Tx, scope: Scope, identifierIds: readonly string[]): Promise<void> {
  if (identifierIds.length === 0) return
  const { profileId } = scope
  const { rows } = await sql<{ identifierId: string; value: string }>`
    select distinct identifier_id as "identifierId", value from identity_traits
    where profile_id = ${profileId} and identifier_id = any(${uuidList(identifierIds)}::uuid[])
      and trait = any(${plainArray(NAME_TRAITS)}::text[])`.execute(tx)
  const namesByIdentifier = Map.groupBy(rows, (row) => row.identifierId)
  const nameless = identifierIds.filter((id) => !namesByIdentifier.has(id))
  if (nameless.length > 0)
    await sql`
      delete from customer_names
      where profile_id = ${profileId} and identifier_id = any(${uuidList(nameless)}::uuid[])`.execute(tx)
  await saveTokens(
    tx,
    profileId,
    [...namesByIdentifier].map(([identifierId, names]) => ({
      identifierId,
      tokens: nameTokens(
        names.map((row) => row.value),
        scope,
      ),
    })),
  )
}

async function loadTokens(
  tx: Tx,
  profileId: string,
  identifierIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; tokens: string[] }>`
    select identifier_id as id, tokens::text[] as tokens from customer_names
    where profile_id = ${profileId} and identifier_id = any(${uuidList(identifierIds)}::uuid[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.tokens]))
}

async function saveTokens(tx: Tx, profileId: string, rows: readonly Tokens[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into customer_names (profile_id, identifier_id, tokens)
    select ${anchoredProfileId(tx, profileId)}, u.identifier_id, u.tokens::bigint[]
    from unnest(${uuids(rows, (row) => row.identifierId)}::uuid[],
      ${texts(rows, (row) => plainArray(row.tokens))}::text[]) as u(identifier_id, tokens) ${joinAnchor(tx, profileId)}
    on conflict (profile_id, identifier_id) do update set tokens = excluded.tokens`.execute(tx)
}

/** Identifiers with a name but no index entry, ordered by id. */
export async function listUnindexed(
  db: Db | Tx,
  params: { profileId: string; after: string | null; limit: number },
): Promise<string[]> {
  const { profileId, after, limit } = params
  const beyond = after === null ? sql`` : sql`and t.identifier_id > ${after}::uuid`
  const { rows } = await sql<{ id: string }>`
    select distinct t.identifier_id as id from identity_traits t
    where t.profile_id = ${profileId} and t.trait = any(${plainArray(NAME_TRAITS)}::text[]) ${beyond}
      and not exists (
        select 1 from customer_names n where n.profile_id = ${profileId} and n.identifier_id = t.identifier_id)
    order by t.identifier_id limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
