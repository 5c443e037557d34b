import { webhookEventTypeValues } from '@whence/sdk'
import { basePath } from '../../base-path.ts'
import { sentence } from '../../names/providers.ts'
import { Card } from '../../ui/card.tsx'

/** Display names of groups whose prefix is not readable as it is. */
const groupNames: Record<string, string> = {
  doctor: 'Data health',
  handoff: 'Hand-off',
  leadgen: 'Lead form',
}

const groupOf = (type: string) => type.slice(0, type.indexOf('.'))

/** All event types, linked to the reference. */
export function EventList() {
  return (
    <Card
      title="Events you can receive"
      note="Click one to see its payload in the reference. The signature follows Standard Webhooks."
    >
      <div className="event-groups">
        {[...Map.groupBy(webhookEventTypeValues, groupOf)].map(([group, types]) => (
          <div key={group}>
            <h3>{groupNames[group] ?? sentence(group)}</h3>
            <ul>
              {types.map((type) => (
                <li key={type}>
                  <a href={`${basePath}/docs/reference/webhook-events/${type}`}>{type}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Card>
  )
}
