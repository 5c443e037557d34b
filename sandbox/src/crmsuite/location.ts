/** Objects of one crmsuite location: the world's consultations, and changes by actions. */
import { DAY_MS } from '../days.ts'
import { seededHex, seededUuid } from '../seeded-random.ts'
import { type SandboxPerson, type SandboxStage, sandboxPeople } from '../world.ts'

export type Json = Record<string, unknown>
export type Item = Json & { id: string }
export type Kind = 'contacts' | 'opportunities' | 'appointments'

const stageNames = [
  'New lead',
  'Appointment booked',
  'Consultation completed',
  'No show',
  'Quote presented',
  'Closed won',
  'Closed lost',
] as const
export type StageName = (typeof stageNames)[number]

const stageOf: Record<SandboxStage, StageName> = {
  lead_created: 'New lead',
  appointment_booked: 'Appointment booked',
  appointment_attended: 'Consultation completed',
  appointment_missed: 'No show',
  quote_presented: 'Quote presented',
  closed_won: 'Closed won',
  closed_lost: 'Closed lost',
}

export class LocationBook {
  readonly id: string
  readonly pipelineId: string
  readonly calendarId: string
  readonly #seed: string
  readonly #now: () => Date
  /** The world as of one second, cached because building it for every contact would be slow. */
  #world: { second: number; items: Map<Kind, ReadonlyMap<string, Item>> } | null = null
  readonly #put: Record<Kind, Map<string, Item | null>> = {
    contacts: new Map(),
    opportunities: new Map(),
    appointments: new Map(),
  }

  constructor(seed: string, id: string, now: () => Date) {
    this.id = id
    this.#seed = seed
    this.#now = now
    this.pipelineId = seededHex(20, id, 'pipeline')
    this.calendarId = seededHex(20, id, 'calendar')
  }

  stageId(name: StageName): string {
    return seededUuid(this.id, 'stage', name)
  }

  pipelines(): Json[] {
    const stages = stageNames.map((name, position) => ({ id: this.stageId(name), name, position }))
    return [{ id: this.pipelineId, name: 'Consultations', locationId: this.id, stages }]
  }

  /** Null deletes the item. */
  put(kind: Kind, id: string, item: Item | null): void {
    this.#put[kind].set(id, item)
  }

  list(kind: Kind): Item[] {
    const items = new Map(this.#worldOf(kind))
    for (const [id, item] of this.#put[kind]) {
      if (item === null) items.delete(id)
      else items.set(id, item)
    }
    return [...items.values()]
  }

  find(kind: Kind, id: string): Item | null {
    const stored = this.#put[kind].get(id)
    return stored === undefined ? (this.#worldOf(kind).get(id) ?? null) : stored
  }

  #worldOf(kind: Kind): ReadonlyMap<string, Item> {
    const second = Math.floor(this.#now().getTime() / 1000)
    if (this.#world?.second !== second) this.#world = { second, items: new Map() }
    const cached = this.#world.items.get(kind)
    if (cached !== undefined) return cached
    const people = sandboxPeople(this.#seed, this.#now()).filter(({ stages }) => stages.length > 0)
    const items = new Map(
      people.flatMap((person) => this.#worldItems(kind, person)).map((item) => [item.id, item]),
    )
    this.#world.items.set(kind, items)
    return items
  }

  #worldItems(kind: Kind, person: SandboxPerson): Item[] {
    switch (kind) {
      case 'contacts':
        return [this.#contact(person)]
      case 'opportunities':
        return [this.#opportunity(person)]
      case 'appointments':
        return person.stages.some(({ stage }) => stage === 'appointment_booked')
          ? [this.#appointment(person)]
          : []
    }
  }

  #contact(person: SandboxPerson): Item {
    const added = person.stages[0]!.at
    const click = person.click
    const query = new URLSearchParams(
      click ? { [click.name]: click.value, adset_id: click.adSetId, utm_medium: 'paid' } : {},
    )
    const url = `https://harborandpine.example/consultation${click ? `?${query}` : ''}`
    const sessionSource = click
      ? person.source === 'social'
        ? 'Paid Social'
        : 'Paid Search'
      : 'Direct traffic'
    const attributionSource = {
      sessionSource,
      url,
      fbclid: click?.name === 'fbclid' ? click.value : null,
      gclid: click?.name === 'gclid' ? click.value : null,
      campaignId: click?.campaignId ?? null,
      utmSource: click ? person.source : null,
      medium: 'form',
    }
    const attributions = click
      ? [
          {
            utmSessionSource: sessionSource,
            pageUrl: url,
            utmAdId: click.adId,
            utmCampaignId: click.campaignId,
            isFirst: true,
          },
        ]
      : []
    return {
      id: person.id,
      locationId: this.id,
      firstName: person.firstName,
      lastName: person.lastName,
      contactName: `${person.firstName} ${person.lastName}`,
      email: person.email,
      phone: person.phone,
      country: 'US',
      source: 'Consultation form',
      type: 'lead',
      tags: [],
      dateAdded: added.toISOString(),
      dateUpdated: person.stages.at(-1)!.at.toISOString(),
      attributionSource,
      attributions,
    }
  }

  #opportunity(person: SandboxPerson): Item {
    const created = person.stages[0]!.at
    const last = person.stages.at(-1)!
    const status = last.stage === 'closed_won' ? 'won' : last.stage === 'closed_lost' ? 'lost' : 'open'
    return {
      id: seededHex(20, person.id, 'opportunity'),
      name: `${person.firstName} ${person.lastName}`,
      locationId: this.id,
      contactId: person.id,
      pipelineId: this.pipelineId,
      pipelineStageId: this.stageId(stageOf[last.stage]),
      status,
      monetaryValue: person.dealValueMinor === null ? 0 : person.dealValueMinor / 100,
      createdAt: created.toISOString(),
      updatedAt: last.at.toISOString(),
      lastStageChangeAt: last.at.toISOString(),
      lastStatusChangeAt: (status === 'open' ? created : last.at).toISOString(),
      contact: {
        id: person.id,
        name: `${person.firstName} ${person.lastName}`,
        email: person.email,
        phone: person.phone,
        tags: [],
      },
    }
  }

  #appointment(person: SandboxPerson): Item {
    const at = (stage: SandboxStage) => person.stages.find((entry) => entry.stage === stage)?.at
    const booked = at('appointment_booked')!
    const attended = at('appointment_attended')
    const missed = at('appointment_missed')
    const start =
      attended ?? missed ?? new Date(Math.max(booked.getTime() + 9 * DAY_MS, this.#now().getTime()))
    return {
      id: seededHex(20, person.id, 'appointment'),
      title: `Consultation with ${person.firstName} ${person.lastName}`,
      locationId: this.id,
      calendarId: this.calendarId,
      contactId: person.id,
      appointmentStatus: attended ? 'showed' : missed ? 'noshow' : 'confirmed',
      startTime: start.toISOString(),
      endTime: new Date(start.getTime() + 3_600_000).toISOString(),
      dateAdded: booked.toISOString(),
      dateUpdated: (attended ?? missed ?? booked).toISOString(),
    }
  }
}
