/** Leads of a page's form: stored for reading back, and reported by a signed webhook. */

import { DAY_MS } from '../days.ts'
import { hmacSha256 } from '../hmac.ts'
import type { SandboxOptions } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'
import { sandboxPeople } from '../world.ts'
import type { GraphNode } from './graph.ts'

export type Leads = ReturnType<typeof createLeads>

/** The platform's retention of leads. */
const keptMs = 90 * DAY_MS

export function createLeads(options: SandboxOptions, firstPageId: () => string) {
  const leads = new Map<string, GraphNode>()
  const formOf = (pageId: string) => seededDigits(15, options.seed, 'form', pageId)
  const keptLeads = () =>
    [...leads.values()].filter(
      (lead) => Date.parse(String(lead.created_time)) > options.now().getTime() - keptMs,
    )

  function submitLead(leadgenId: string, pageId: string, at: Date): GraphNode {
    const people = sandboxPeople(options.seed, options.now()).filter(({ source }) => source === 'social')
    const person = people[people.length - 1 - (leads.size % people.length)]!
    const lead = {
      id: leadgenId,
      page_id: pageId,
      created_time: `${at.toISOString().slice(0, 19)}+0000`,
      ad_id: person.click!.adId,
      campaign_id: person.click!.campaignId,
      form_id: formOf(pageId),
      field_data: [
        { name: 'full_name', values: [`${person.firstName} ${person.lastName}`] },
        { name: 'email', values: [person.email] },
        { name: 'phone_number', values: [person.phone] },
      ],
    }
    leads.set(leadgenId, lead)
    return lead
  }

  return {
    find: (leadgenId: string): GraphNode | undefined => leads.get(leadgenId),
    isForm: (id: string) => [...leads.values()].some((lead) => lead.form_id === id),
    formsOf: (pageId: string): GraphNode[] =>
      keptLeads().some((lead) => lead.page_id === pageId)
        ? [{ id: formOf(pageId), name: 'Ask for a plan', status: 'ACTIVE' }]
        : [],
    /** Newest first, as the platform lists them. */
    ofForm: (formId: string, afterSeconds: number): GraphNode[] =>
      keptLeads()
        .filter((lead) => lead.form_id === formId)
        .filter((lead) => Date.parse(String(lead.created_time)) / 1000 > afterSeconds)
        .sort((a, b) => String(b.created_time).localeCompare(String(a.created_time))),
    /** An existing `leadgen_id` is reported again, like the platform's retries. */
    async send(args: Record<string, unknown>): Promise<Record<string, unknown>> {
      const requestedId = typeof args.leadgen_id === 'string' ? args.leadgen_id : null
      const leadgenId = requestedId ?? seededDigits(16, options.seed, 'lead', leads.size)
      const at = new Date(options.now().getTime() - Number(args.days_ago ?? 0) * DAY_MS)
      const lead = leads.get(leadgenId) ?? submitLead(leadgenId, String(args.page_id ?? firstPageId()), at)
      // Without a webhook: only reading back finds it.
      if (args.silent === true) return { leadgen_id: leadgenId, page_id: lead.page_id }
      const value = {
        leadgen_id: leadgenId,
        page_id: lead.page_id,
        form_id: lead.form_id,
        ad_id: lead.ad_id,
        created_time: Math.floor(Date.parse(String(lead.created_time)) / 1000),
      }
      const time = Math.floor(options.now().getTime() / 1000)
      const entry = [{ id: lead.page_id, time, changes: [{ field: 'leadgen', value }] }]
      const body = JSON.stringify({ object: 'page', entry })
      const signature = `sha256=${hmacSha256(options.clientSecret, body).toString('hex')}`
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
      await options.sendWebhook({ provider: 'social_ads', headers, body })
      return { leadgen_id: leadgenId, page_id: lead.page_id }
    },
  }
}
