/** Turns calendar events into outcomes of invited customers, and retracts outcomes that no longer apply. */
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
import { deleteUnknownGuests, listDueProfiles, lockDueAppointments, saveReported } from './queries.ts'
import {
  type Appointment,
  appointmentOutcomes,
  countedAppointments,
  nextCheck,
  type Outcome,
  SETTLED_AFTER_MS,
} from './rules.ts'
import { settleAppointments as settleRef } from './settle-job.ts'

const BATCH_SIZE = 500

const settle = job({
  ...settleRef,
  async run(context: JobContext, { profile_id: profileId }) {
    const { service, signal } = context
    const profile = await findProfileRef(context.db, { profileId })
    if (profile === undefined) return
    const scope = identityScope(service, profile)
    for (;;) {
      signal.throwIfAborted()
      const count = await context.db.transaction().execute((tx) => settleBatch(tx, scope))
      if (count > 0) service.processor.wake(profileId)
      if (count < BATCH_SIZE) return
    }
  },
})

/** Returns the number of appointments checked. */
async function settleBatch(tx: Tx, scope: IdentityScope): Promise<number> {
  const { profileId } = scope
  const now = await databaseNow(tx)
  const appointments = await lockDueAppointments(tx, { profileId, now, limit: BATCH_SIZE })
  const counted = countedAppointments(appointments)
  const rows = appointments
    .filter(({ calendar_id }) => calendar_id !== null)
    .map((appointment) => {
      const outcomes = counted.has(appointment) ? appointmentOutcomes(appointment, now) : []
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
  await deleteUnknownGuests(tx, { profileId, before: new Date(now.getTime() - SETTLED_AFTER_MS) })
  return rows.length
}

/** Events for current outcomes, and retractions of reported outcomes that no longer apply. The person is only the hashed identifier. */
function toEvents(
  appointment: Appointment,
  outcomes: readonly Outcome[],
  scope: IdentityScope,
  now: Date,
): NewEvent[] {
  const { reported, booked_at, starts_at, identifier_id } = appointment
  const retractedTypes = reported.filter((type) => outcomes.every((outcome) => outcome.type !== type))
  const records = [
    ...outcomes.map((outcome) => ({ ...outcome, retracted: false })),
    ...retractedTypes.map((type) => ({
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
      (await listDueProfiles(shard, { now, limit: BATCH_SIZE })).map((profileId) => ({
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
