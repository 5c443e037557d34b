/** Writes the big profile's people by COPY. */

import {
  saveSources,
  sourceIdOf,
  type TouchSource,
} from '@whence/server/features/attribution/crediting/touch-sources.ts'
import { CopyWriter, uuidBytes } from '@whence/server/platform/db/copy/copy-in.ts'
import type { Connection } from '@whence/server/platform/db/database.ts'
import { ADS, ADS_PER_CAMPAIGN, DIRECT, type People, TOUCHES_EACH } from './people.ts'

type Client = Connection['client']

const NULL = Buffer.from([255, 255, 255, 255])
/** PostgreSQL's epoch, 2000-01-01, in milliseconds. */
const EPOCH_MS = 946_684_800_000
const DAY_MS = 86_400_000
const ANONYMOUS = 5
const SECOND_MS = 1000

const texts = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => Buffer.from(`${prefix}${number}`))

/** Identifier of a person as four words, derived from the person's number so that all tables use the same one. */
function personWords(person: number, words: Int32Array): void {
  for (let word = 0; word < 4; word++) {
    let mixed = Math.imul((person * 4 + word + 1) ^ 0x5bd1e995, 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
    words[word] = mixed ^ (mixed >>> 13)
  }
}

async function copyRows(
  client: Client,
  table: string,
  columns: readonly string[],
  count: number,
  write: (writer: CopyWriter, row: number) => void,
): Promise<void> {
  const writer = new CopyWriter(client, `copy ${table} (${columns.join(', ')}) from stdin (format binary)`)
  try {
    for (let row = 0; row < count; row++) {
      writer.beginRow(columns.length)
      write(writer, row)
      if (writer.isFull) await writer.flush()
    }
    await writer.end()
  } catch (error) {
    await writer.abort(error as Error)
    throw error
  }
}

const writeInstant = (writer: CopyWriter, ms: number) => writer.bigint((ms - EPOCH_MS) * 1000)

export async function writeIdentifiers(client: Client, profileId: string, people: People): Promise<void> {
  const profile = uuidBytes(profileId)
  const words = new Int32Array(4)
  await copyRows(
    client,
    'identifiers',
    ['profile_id', 'id', 'kind', 'customer_id'],
    people.count,
    (writer, row) => {
      personWords(row, words)
      writer.text(profile)
      writer.uuid(words, 0)
      writer.smallint(ANONYMOUS)
      writer.uuid(words, 0)
    },
  )
}

type GoalRow = { id: string; outcome_type: string; revenue_type: string }

/** Every second conversion is a payment. */
export async function writeConversions(client: Client, profileId: string, people: People): Promise<void> {
  const { rows } = await client.query<GoalRow>(
    `select id, outcome_type, revenue_type from goals
     where profile_id = $1 and conversion_key in ('payment_received', 'lead_created') order by conversion_key desc`,
    [profileId],
  )
  const goals = rows.map((goal) => ({
    id: uuidBytes(goal.id),
    outcomeType: Buffer.from(goal.outcome_type),
    revenueType: Buffer.from(goal.revenue_type),
    isCash: goal.revenue_type === 'cash',
  }))
  const [profile, euro] = [uuidBytes(profileId), Buffer.from('EUR')]
  const { random } = people
  const words = new Int32Array(4)
  const columns = [
    ...['profile_id', 'id', 'event_id', 'goal_id', 'identifier_id', 'occurred_at', 'recorded_at', 'day'],
    ...[
      'outcome_type',
      'revenue_type',
      'attribution_eligible',
      'currency',
      'value_minor',
      'report_value_minor',
    ],
  ]
  const randomUuid = (writer: CopyWriter) => {
    for (let word = 0; word < 4; word++) words[word] = random.word()
    writer.uuid(words, 0)
  }
  await copyRows(client, 'conversions', columns, people.count, (writer, row) => {
    const goal = goals[row % 2]!
    const at = people.convertedAt[row]!
    writer.text(profile)
    // Like the service's ids of conversions, this one begins with the time of receipt.
    words[0] = Math.floor(at / 65_536)
    words[1] = ((at % 65_536) << 16) | 0x8000 | (random.word() & 0xfff)
    words[2] = (random.word() & 0x3fffffff) | 0x80000000
    words[3] = random.word()
    writer.uuid(words, 0)
    randomUuid(writer)
    writer.text(goal.id)
    personWords(row, words)
    writer.uuid(words, 0)
    writeInstant(writer, at)
    writeInstant(writer, at)
    writer.day(Math.floor(at / DAY_MS))
    writer.text(goal.outcomeType)
    writer.text(goal.revenueType)
    writer.boolean(true)
    writer.text(euro)
    const amountMinor = 100 + Math.floor(random.unit() * 50_000)
    for (let column = 0; column < 2; column++)
      if (goal.isCash) writer.bigint(amountMinor)
      else writer.raw(NULL, 0, NULL.length)
  })
}

function sourceOf(ad: number): TouchSource {
  const externalId = (prefix: string, perEntity: number) =>
    ad === DIRECT ? null : `${prefix}${Math.floor(ad / perEntity)}`
  return {
    is_direct: ad === DIRECT,
    platform: null,
    campaign_external_id: externalId('c', ADS_PER_CAMPAIGN),
    ad_set_external_id: externalId('s', 5),
    ad_external_id: externalId('a', 1),
    source: ad === DIRECT ? 'direct ' : null,
  }
}

export async function writeTouches(
  { tx, client }: Connection,
  profileId: string,
  people: People,
): Promise<void> {
  const order = byTime(people)
  const sources = Array.from({ length: ADS + 1 }, (_, index) => sourceOf(index + DIRECT))
  await saveSources(tx, profileId, sources)
  const sourceIds = sources.map((source) => uuidBytes(sourceIdOf(source)))
  const [profile, channel, origin] = [uuidBytes(profileId), Buffer.from('paid_social'), Buffer.from('web')]
  const externalIds = [texts('c', ADS), texts('s', ADS), texts('a', ADS)] as const
  const { random } = people
  const words = new Int32Array(4)
  const columns = [
    ...['profile_id', 'identifier_id', 'occurred_at', 'source_id', 'id', 'recorded_at'],
    ...['channel', 'origin', 'is_direct'],
    ...['campaign_external_id', 'ad_set_external_id', 'ad_external_id'],
  ]
  await copyRows(client, 'touches', columns, order.length, (writer, row) => {
    const touch = order[row]!
    const ad = people.ad[touch]!
    writer.text(profile)
    personWords(Math.floor(touch / TOUCHES_EACH), words)
    writer.uuid(words, 0)
    writeInstant(writer, people.touchedAt[touch]!)
    writer.text(sourceIds[ad - DIRECT]!)
    for (let word = 0; word < 4; word++) words[word] = random.word()
    writer.uuid(words, 0)
    writeInstant(writer, people.touchedAt[touch]!)
    writer.text(channel)
    writer.text(origin)
    writer.boolean(ad === DIRECT)
    if (ad === DIRECT) for (let column = 0; column < 3; column++) writer.raw(NULL, 0, NULL.length)
    else {
      writer.text(externalIds[0][Math.floor(ad / ADS_PER_CAMPAIGN)]!)
      writer.text(externalIds[1][Math.floor(ad / 5)]!)
      writer.text(externalIds[2][ad]!)
    }
  })
}

/** Numbers of the touches in time order, to the second. Time and number share one double, so that plain numbers are sorted. */
function byTime({ touchedAt }: People): Int32Array {
  const keySpace = 2 ** Math.ceil(Math.log2(touchedAt.length + 1))
  const first = touchedAt.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const keys = touchedAt.map((at, touch) => Math.floor((at - first) / SECOND_MS) * keySpace + touch)
  return Int32Array.from(keys.sort(), (key) => key % keySpace)
}
