/** Name and payload of the job, separate from its code, so that the code that stores appointments can queue it. */
import { z } from 'zod'

export const settleAppointments = {
  name: 'appointments.settle',
  payload: z.object({ profile_id: z.uuid() }),
}
