/** Enrichment from the request: device, bot detection, and country if a database is configured. */

import { isbot } from 'isbot'
import { type CountryResponse, open, type Reader } from 'maxmind'
import { UAParser } from 'ua-parser-js'
import { BoundedCache } from '../../../platform/bounded-cache.ts'
import type { Geo } from '../../../platform/ports.ts'

export async function openGeo(path: string | undefined): Promise<Geo> {
  if (path === undefined) return { countryOf: () => null }
  const reader: Reader<CountryResponse> = await open<CountryResponse>(path)
  return {
    countryOf: (ip) => {
      try {
        return reader.get(ip)?.country?.iso_code ?? null
      } catch {
        return null
      }
    },
  }
}

type Agent = { device: Record<string, string | null>; isBot: boolean }

const MAX_CACHED = 5000
const agents = new BoundedCache<string, Agent>(MAX_CACHED)

/** Cached: parsing a user agent costs more than the rest of an event, and few user agents send most events. */
export const readAgent = (userAgent: string): Agent => agents.recall(userAgent, () => parseAgent(userAgent))

function parseAgent(userAgent: string): Agent {
  const parsed = new UAParser(userAgent).getResult()
  return {
    device: {
      browser: parsed.browser.name ?? null,
      os: parsed.os.name ?? null,
      device: parsed.device.type ?? 'desktop',
    },
    isBot: userAgent === '' || isbot(userAgent),
  }
}
