/** A world in which raw events are dropped between its steps, without changing any figure. */

import { sql } from 'kysely'
import { dropOldEvents } from '../../src/features/facts/events/retention/drop-old.ts'
import { DAY } from './decimal.ts'
import type { Step, World } from './history.ts'
import type { Player } from './player.ts'
import { createRandom, type Random } from './random.ts'

const goalSteps = new Set<Step['type']>(['create_goal', 'update_goal', 'delete_goal'])

export class Aging {
  /** Number of dropped raw events, and of events that lost unused parts. */
  dropped = 0
  lessened = 0
  private readonly random: Random
  private readonly lastGoalStep: number

  /** A new goal counts existing events, so nothing is dropped before the last change of goals. */
  constructor({ seed, steps }: World) {
    this.random = createRandom(seed ^ 0x01d)
    this.lastGoalStep = steps.findLastIndex((step) => goalSteps.has(step.type))
  }

  /** Drops events, processed or waiting. */
  readonly afterStep = async (index: number, { at }: Step, { app, profileId }: Player): Promise<void> => {
    if (index < this.lastGoalStep || this.random.chance(0.4)) return
    const { db } = app.service
    const before = new Date(at - this.random.int(-2, 90) * DAY)
    await sql`delete from raw_event_walks where profile_id = ${profileId}`.execute(db)
    for (let isDone = false; !isDone; ) {
      const part = { profileId, before, now: new Date(at), most: this.random.int(1, 6) }
      const walked = await dropOldEvents(db, part)
      isDone = walked.isDone
      this.dropped += walked.dropped
    }
    const { rows } = await sql<{ lessened: number }>`
      select count(*)::bigint as lessened from events where profile_id = ${profileId} and body ? 'settled'`.execute(
      db,
    )
    this.lessened = rows[0]!.lessened
  }
}
