import type { ProfileContext } from '../../../context.ts'
import { getProviderConnection, live } from '../connections/operations.ts'
import { getTrackingOrigin, issueTrackingKey } from '../tracking/operations.ts'

export async function activateWebPixel(context: ProfileContext) {
  const row = await getProviderConnection(context, 'storefront')
  const { key } = await issueTrackingKey(context)
  const { origin } = await getTrackingOrigin(context)
  const settings = { trackingKey: key.key, collectorUrl: `${origin}/api/tracking/collect` }
  const { status, webPixelId } = await live(context, row, (session, { connector }) =>
    connector.webPixel!.activate(session, settings),
  )
  return { status, web_pixel_id: webPixelId }
}
