/** Objects of the sandbox's HubSpot account: the consultations of the shared world, and changes by actions. */
import { seededDigits, seededUuid } from '../seeded-random.ts'
import { type SandboxPerson, type SandboxStage, sandboxPeople } from '../world.ts'

export type ObjectType = 'contacts' | 'deals'
export type CrmObject = {
  id: string
  properties: Record<string, string | null>
  createdAt: string
  updatedAt: string
  archivedAt: string | null
  /** Ids of objects of the other type. */
  links: string[]
  /** When the search index has the last change; it lags behind the objects. */
  indexedAt: number
}
type Submission = {
  conversionId: string
  submittedAt: number
  values: { name: string; value: string }[]
  pageUrl: string
}

/** Stages of the default pipeline. */
export const dealStages = [
  ['appointmentscheduled', 'Appointment Scheduled', '0.2'],
  ['qualifiedtobuy', 'Qualified To Buy', '0.4'],
  ['presentationscheduled', 'Presentation Scheduled', '0.6'],
  ['decisionmakerboughtin', 'Decision Maker Bought-In', '0.8'],
  ['contractsent', 'Contract Sent', '0.9'],
  ['closedwon', 'Closed Won', '1.0'],
  ['closedlost', 'Closed Lost', '0.0'],
] as const

const stageOf: Record<SandboxStage, string> = {
  lead_created: 'qualifiedtobuy',
  appointment_booked: 'appointmentscheduled',
  appointment_attended: 'presentationscheduled',
  appointment_missed: 'presentationscheduled',
  quote_presented: 'contractsent',
  closed_won: 'closedwon',
  closed_lost: 'closedlost',
}

/** The property with the time of the last change: contacts have a different one than all other objects. */
const changedProperty: Record<ObjectType, string> = {
  contacts: 'lastmodifieddate',
  deals: 'hs_lastmodifieddate',
}

/** Ids are numbers; objects of the world derive them from the person. */
const idOf = (...parts: string[]) => `9${seededDigits(10, ...parts)}`

export class Records {
  readonly formId: string
  readonly #seed: string
  readonly #now: () => Date
  readonly #put: Record<ObjectType, Map<string, CrmObject | null>> = { contacts: new Map(), deals: new Map() }
  readonly #submitted: Submission[] = []
  #version = 0
  readonly #lists: Partial<Record<ObjectType, { world: object; version: number; objects: CrmObject[] }>> = {}
  /** From ids of merged contacts to the surviving contact. */
  readonly forwarded = new Map<string, string>()
  /** The world as of one second, cached because building it for every object would be slow. */
  #world: {
    second: number
    people: SandboxPerson[]
    objects: Record<ObjectType, Map<string, CrmObject>>
  } | null = null

  constructor(seed: string, now: () => Date) {
    this.#seed = seed
    this.#now = now
    this.formId = seededUuid(seed, 'form')
  }

  #current() {
    const second = Math.floor(this.#now().getTime() / 1000)
    if (this.#world?.second === second) return this.#world
    const people = sandboxPeople(this.#seed, this.#now()).filter(({ stages }) => stages.length > 0)
    const byId = (objects: CrmObject[]) => new Map(objects.map((object) => [object.id, object]))
    const objects = { contacts: byId(people.map(contactOf)), deals: byId(people.map(dealOf)) }
    this.#world = { second, people, objects }
    return this.#world
  }

  /** Ordered by id, including archived objects. */
  list(type: ObjectType): readonly CrmObject[] {
    const world = this.#current()
    const cached = this.#lists[type]
    if (cached?.world === world && cached.version === this.#version) return cached.objects
    const all = new Map(world.objects[type])
    for (const [id, object] of this.#put[type]) {
      if (object === null) all.delete(id)
      else all.set(id, object)
    }
    const objects = [...all.values()].sort((a, b) => Number(a.id) - Number(b.id))
    this.#lists[type] = { world, version: this.#version, objects }
    return objects
  }

  find(type: ObjectType, id: string): CrmObject | undefined {
    const currentId = type === 'contacts' ? (this.forwarded.get(id) ?? id) : id
    const changed = this.#put[type].get(currentId)
    return changed === undefined ? this.#current().objects[type].get(currentId) : (changed ?? undefined)
  }

  put(type: ObjectType, object: CrmObject): CrmObject {
    this.#version += 1
    this.#put[type].set(object.id, object)
    return object
  }

  remove(type: ObjectType, id: string): void {
    this.#version += 1
    this.#put[type].set(id, null)
  }

  submit(submission: Submission): void {
    this.#submitted.push(submission)
  }

  /** Newest first. */
  submissions(): Submission[] {
    const filled = this.#current().people.map(submissionOf)
    return [...this.#submitted, ...filled].sort((a, b) => b.submittedAt - a.submittedAt)
  }
}

/** A new or changed object; `lagMs`: delay of the search index. */
export function crmObject(
  type: ObjectType,
  fields: { id: string; properties: Record<string, string | null>; links?: string[]; createdAt?: string },
  at: Date,
  lagMs = 0,
): CrmObject {
  const changed = at.toISOString()
  const createdAt = fields.createdAt ?? changed
  return {
    id: fields.id,
    createdAt,
    updatedAt: changed,
    archivedAt: null,
    links: fields.links ?? [],
    indexedAt: at.getTime() + lagMs,
    properties: {
      createdate: createdAt,
      ...fields.properties,
      hs_object_id: fields.id,
      [changedProperty[type]]: changed,
    },
  }
}

const pageOf = ({ click, source }: SandboxPerson) =>
  click === null
    ? 'https://harborandpine.example/consultation'
    : `https://harborandpine.example/consultation?${new URLSearchParams({
        [click.name]: click.value,
        campaign_id: click.campaignId,
        adset_id: click.adSetId,
        ad_id: click.adId,
        utm_source: source,
        utm_medium: 'paid',
      })}`

function contactOf(person: SandboxPerson): CrmObject {
  const { click } = person
  const sources = { social: 'PAID_SOCIAL', engine: 'PAID_SEARCH', organic: 'ORGANIC_SEARCH' }
  const source = click === null && person.source !== 'organic' ? 'DIRECT_TRAFFIC' : undefined
  return crmObject(
    'contacts',
    {
      id: idOf(person.id, 'contact'),
      createdAt: person.stages[0]!.at.toISOString(),
      links: [idOf(person.id, 'deal')],
      properties: {
        email: person.email,
        firstname: person.firstName,
        lastname: person.lastName,
        phone: person.phone,
        country: 'United States',
        hs_country_region_code: 'US',
        hs_analytics_source: source ?? sources[person.source as keyof typeof sources] ?? 'DIRECT_TRAFFIC',
        hs_analytics_first_timestamp: person.arrivedAt.toISOString(),
        hs_analytics_first_url: pageOf(person),
        hs_google_click_id: click?.name === 'gclid' ? click.value : null,
        hs_facebook_click_id: click?.name === 'fbclid' ? click.value : null,
      },
    },
    person.stages.at(-1)!.at,
  )
}

function dealOf(person: SandboxPerson): CrmObject {
  const created = person.stages[0]!.at
  const last = person.stages.at(-1)!
  const isClosed = last.stage === 'closed_won' || last.stage === 'closed_lost'
  const amount = person.dealValueMinor === null ? null : (person.dealValueMinor / 100).toFixed(2)
  // An open deal closes at the end of the next month.
  const planned = new Date(Date.UTC(created.getUTCFullYear(), created.getUTCMonth() + 2, 0))
  return crmObject(
    'deals',
    {
      id: idOf(person.id, 'deal'),
      createdAt: created.toISOString(),
      links: [idOf(person.id, 'contact')],
      properties: {
        dealname: `${person.firstName} ${person.lastName}`,
        amount,
        amount_in_home_currency: amount,
        deal_currency_code: null,
        pipeline: 'default',
        dealstage: stageOf[last.stage],
        closedate: (isClosed ? last.at : planned).toISOString(),
        hs_is_closed: String(isClosed),
        hs_is_closed_won: String(last.stage === 'closed_won'),
        hs_v2_date_entered_current_stage: last.at.toISOString(),
      },
    },
    last.at,
  )
}

const submissionOf = (person: SandboxPerson): Submission => ({
  conversionId: seededUuid(person.id, 'submission'),
  submittedAt: person.stages[0]!.at.getTime(),
  pageUrl: pageOf(person),
  values: [
    { name: 'firstname', value: person.firstName },
    { name: 'lastname', value: person.lastName },
    { name: 'email', value: person.email },
    { name: 'your_project', value: 'A kitchen' },
  ],
})
