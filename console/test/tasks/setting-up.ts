/** Set-up tasks: goals, connections, colleagues, keys, webhooks, and a first sale. */
import { expect } from 'vitest'
import { startReceiver } from '../../../server/test/receiver.ts'
import { ask, type Desk, lastDays, list, type Tasks } from './desk.ts'

export const settingUpTasks: Tasks = {
  'set a goal': async (desk) => {
    const { page, demo } = desk
    await page.goto(`/p/${demo}/goals`)
    await page.getByRole('button', { name: 'New goal' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Showroom visit')
    await page.getByLabel('Event names').fill('showroom_visit')
    await page.getByRole('button', { name: 'Save goal' }).click()
    await page.getByRole('button', { name: 'Edit Showroom visit' }).waitFor()
    const goals = await list<{ display_name: string; counts_events: string[] }>(desk, '/goals')
    expect(goals.map(({ display_name }) => display_name)).toContain('Showroom visit')
  },

  'connect an ad platform': async (desk) => {
    const { page, context, own: profileId } = desk
    await page.goto(`/p/${profileId}/connections`)
    await page.getByRole('button', { name: 'Connect Meta', exact: true }).click()
    await page.getByRole('button', { name: 'Get the link' }).click()
    const [screen] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Continue to Meta' }).click(),
    ])
    await screen.locator('[data-choice="approve-one"]').click()
    await screen.locator('[role=status], [role=alert]').waitFor()
    await screen.close()
    await page.getByText('Meta is connected.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const connections = await list<{ channel: string; status: string }>(desk, '/connections', {
      profile_id: profileId,
    })
    expect(connections).toContainEqual(
      expect.objectContaining({ channel: 'social_ads', status: 'connected' }),
    )
  },

  'invite a colleague': async (desk) => {
    const { page, demo, workspaceId } = desk
    await page.goto(`/p/${demo}/settings`)
    await page.getByLabel('Email', { exact: true }).fill('colleague@example.com')
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    const pending = page.getByRole('list', { name: 'Pending invitations' })
    await pending.getByText('colleague@example.com').waitFor()
    const { data } = await ask<{ data: { email: string; role: string }[] }>(
      desk,
      `/workspaces/${workspaceId}/invitations`,
    )
    expect(data).toContainEqual(expect.objectContaining({ email: 'colleague@example.com', role: 'viewer' }))
  },

  'create a key and send a first event': async (desk) => {
    const key = await makeKey(desk, 'Till')
    const { page } = desk
    await page.getByText('Waiting for your first event').waitFor()
    const request = await page.getByRole('dialog').locator('pre').nth(1).innerText()
    const [, url, body] = /^curl -X POST (\S+) .*?-d '(.*)'$/s.exec(request)!
    expect(request).toContain(key)
    expect(await post(url!, key, body!)).toBe(202)
    await page.getByText('Your first event has arrived').waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
  },

  'go from an empty profile to the first attributed sale': async (desk) => {
    const { page, own: profileId } = desk
    const key = await makeKey(desk, 'Shop')
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const events = `${new URL(page.url()).origin}/api/v1/events`
    const person = { user_traits: { email: 'first@example.com' } }
    const visit = {
      event_name: 'page_view',
      utm: { source: 'newsletter', medium: 'email', campaign: 'Opening' },
      ...person,
    }
    expect(await post(events, key, JSON.stringify(visit))).toBe(202)
    const sale = {
      event_name: 'payment_received',
      idempotency_key: 'first-sale',
      properties: { value: 50, currency: 'USD' },
      ...person,
    }
    expect(await post(events, key, JSON.stringify(sale))).toBe(202)
    await desk.settled()
    await page.goto(`/p/${profileId}/setup`)
    const step = page.getByRole('listitem').filter({ hasText: 'See it credited to a visit' })
    await step.getByText('Done').waitFor()
    await page.getByRole('link', { name: 'Channels', exact: true }).click()
    await page
      .getByRole('row', { name: /^Email/ })
      .getByText('50.00')
      .first()
      .waitFor()
    const { data } = await ask<{ data: { steps: { step: string; state: string }[] } }>(
      desk,
      `/profiles/${profileId}/readiness`,
    )
    expect(data.steps).toContainEqual(expect.objectContaining({ step: 'outcome_attributed', state: 'done' }))
    const channels = await list<{ channel: string }>(desk, '/reports/channels', {
      profile_id: profileId,
      ...lastDays(Intl.DateTimeFormat().resolvedOptions().timeZone),
    })
    expect(JSON.stringify(channels)).toContain('email')
  },

  'find a failed webhook and send it again': async (desk) => {
    const { page, demo } = desk
    let isDown = true
    const receiver = await startReceiver((_request, reply) => void reply.writeHead(isDown ? 500 : 204).end())
    try {
      await page.goto(`/p/${demo}/webhooks`)
      await page.getByRole('button', { name: 'New subscription' }).click()
      await page.getByLabel('Address').fill(`${receiver.url}/hook`)
      await page.getByLabel('connection.connected', { exact: true }).check()
      await page.getByLabel('Platform', { exact: true }).check()
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByRole('button', { name: 'I have copied it' }).click()
      await page.getByRole('button', { name: 'Send a test' }).click()
      await receiver.until((requests) => requests.length === 1)
      const failing = page.getByRole('row').filter({ hasText: 'Failing, will retry' })
      await failing.getByRole('button').first().click()
      await page.getByRole('list', { name: 'Attempts' }).getByText('500').first().waitFor()
      isDown = false
      await page.getByRole('button', { name: 'Replay' }).click()
      await receiver.until((requests) => requests.length === 2)
      expect(receiver.requests[1]!.body).toBe(receiver.requests[0]!.body)
      await expect
        .poll(async () =>
          (await list<{ status: string }>(desk, '/webhooks/deliveries')).map(({ status }) => status),
        )
        .toContain('delivered')
    } finally {
      await receiver.close()
    }
  },
}

async function makeKey({ page, own: profileId }: Desk, name: string): Promise<string> {
  await page.goto(`/p/${profileId}/developers`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  return page.getByRole('dialog').locator('pre').first().innerText()
}

async function post(url: string, key: string, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).status
}
