/** Apart from how it is done: what stores appointments queues it. */
import { z } from 'zod'

export const settleAppointments = {
  name: 'appointments.settle',
  payload: z.object({ profile_id: z.uuid() }),
}
