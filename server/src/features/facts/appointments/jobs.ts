/** Turns events of calendars into outcomes of the customers who were invited, and takes back those that no longer hold. */
import { z } from 'zod'
import type { OutcomeRecord } from '../../../connectors/connector.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { databaseNow, type Tx } from '../../../platform/db/database.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { toIntegrationEvents } from '../events/integrations.ts'
import { writeEvents } from '../events/queries.ts'
import type { NewEvent } from '../events/stored.ts'
import type { IdentityScope } from '../identity/identifiers.ts'
import { identityScope } from '../identity/scope.ts'
import { dropUnknown, listDueProfiles, saveReported, takeDue } from './queries.ts'
import {
  type Appointment,
  nextCheck,
  type Outcome,
  outcomesOf,
  SETTLED_AFTER_MS,
  winnersOf,
} from './rules.ts'
import { settleAppointments as settleRef } from './settle-job.ts'

const AT_ONCE = 500

const settle = job({
  ...settleRef,
  async run(context: JobContext, { profile_id: profileId }) {
    const { service, signal } = context
    const profile = await findProfileRef(context.db, { profileId })
    if (profile === undefined) return
    const scope = identityScope(service, profile)
    for (;;) {
      signal.throwIfAborted()
      const count = await context.db.transaction().execute((tx) => settleSome(tx, scope))
      if (count > 0) service.processor.wake(profileId)
      if (count < AT_ONCE) return
    }
  },
})

/** How many were looked at. */
async function settleSome(tx: Tx, scope: IdentityScope): Promise<number> {
  const { profileId } = scope
  const now = await databaseNow(tx)
  const appointments = await takeDue(tx, { profileId, now, limit: AT_ONCE })
  const winners = winnersOf(appointments)
  const rows = appointments
    .filter(({ calendar_id }) => calendar_id !== null)
    .map((appointment) => {
      const outcomes = winners.has(appointment) ? outcomesOf(appointment, now) : []
      return { appointment, outcomes, checkAt: nextCheck(appointment, now) }
    })
  const events = rows.flatMap(({ appointment, outcomes }) => toEvents(appointment, outcomes, scope, now))
  if (events.length > 0) await writeEvents(tx, { profileId, events })
  await saveReported(tx, {
    profileId,
    rows: rows.map(({ appointment, outcomes, checkAt }) => ({
      connection_id: appointment.connection_id,
      external_id: appointment.external_id,
      identifier_id: appointment.identifier_id,
      reported: outcomes.map(({ type }) => type),
      check_at: checkAt,
    })),
  })
  await dropUnknown(tx, { profileId, before: new Date(now.getTime() - SETTLED_AFTER_MS) })
  return rows.length
}

/** Outcomes that hold, and those reported before that no longer do. The person by the keyed identifier only. */
function toEvents(
  appointment: Appointment,
  outcomes: readonly Outcome[],
  scope: IdentityScope,
  now: Date,
): NewEvent[] {
  const { reported, booked_at, starts_at, identifier_id } = appointment
  const gone = reported.filter((type) => outcomes.every((outcome) => outcome.type !== type))
  const records = [
    ...outcomes.map((outcome) => ({ ...outcome, retracted: false })),
    ...gone.map((type) => ({
      type,
      at: type === 'appointment_attended' ? starts_at : booked_at,
      retracted: true,
    })),
  ].map(
    ({ type, at, retracted }): OutcomeRecord => ({
      type: 'outcome',
      externalId: uuidv5(
        scope.profileId,
        `${appointment.connection_id} ${appointment.external_id} ${identifier_id}`,
      ),
      outcomeType: type,
      occurredAt: at.toISOString(),
      value: null,
      person: emptyPerson(),
      stageId: null,
      retracted,
    }),
  )
  const { provider, connection_id: connectionId } = appointment
  return toIntegrationEvents(records, { ...scope, provider, connectionId, now }).map((event) => ({
    ...event,
    body: { ...event.body, identifiers: [{ kind: 'email' as const, id: identifier_id }] },
  }))
}

const queueDue = job({
  name: 'appointments.queue_due',
  payload: z.object({}),
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await enqueueForAll(context, settle, async (shard) =>
      (await listDueProfiles(shard, { now, limit: AT_ONCE })).map((profileId) => ({
        payload: { profile_id: profileId },
        profileId,
        dedupeKey: profileId,
      })),
    )
  },
})

export const appointmentJobs: readonly Job[] = [settle, queueDue]

export const appointmentSchedules: readonly Schedule[] = [
  { name: 'appointments.queue_due', job: queueDue, rule: { everySeconds: 300 } },
]
