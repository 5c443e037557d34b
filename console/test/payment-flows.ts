/** Corrections of a payment: refund, installment, payer. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { untilClosed } from './visit.ts'

type PaymentWorld = { page: Page; profileId: string; known: string }

const choose = async (page: Page, action: string) => {
  const actions = page.getByRole('button', { name: /^Actions for the payment/ }).first()
  await actions.waitFor()
  // A dialog that is still closing would take the focus out of the menu and close it.
  await untilClosed(page)
  await actions.click()
  await page.getByRole('menuitem', { name: action }).click()
}

export function paymentFlows(world: () => PaymentWorld): void {
  it('records a refund, and shows a clear message for one that is too large', async () => {
    const { page, profileId } = world()
    await page.goto(`/p/${profileId}/payments?from=2026-05-01&to=2026-05-31`)
    await choose(page, 'Record refund')
    await page.locator('input[name=amount]:focus').waitFor()
    await page.getByLabel('Amount (EUR)').fill('99999')
    await page.getByRole('button', { name: 'Record refund' }).click()
    await page
      .getByRole('alert')
      .getByText(/^Amount must be more than 0 and at most/)
      .waitFor()
    await page.getByLabel('Amount (EUR)').fill('5')
    await page.getByRole('button', { name: 'Record refund' }).click()
    await page.getByText('−€5.00').waitFor()
    await choose(page, 'Undo refund')
    await page.getByText('−€5.00').waitFor({ state: 'detached' })
  })

  it('marks a payment as a later installment and back', async () => {
    const { page } = world()
    const mark = page.locator('tbody').getByText('Installment', { exact: true })
    await choose(page, 'Mark as later installment')
    await mark.waitFor()
    await choose(page, 'Not an installment')
    await mark.waitFor({ state: 'detached' })
  })

  it('assigns the payer, and reports an email of no customer', async () => {
    const { page, known: email } = world()
    await choose(page, 'Assign payer')
    await page.getByLabel('Email').fill('unknown@example.com')
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toBe('No such customer in this profile.')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByText('Payer saved').waitFor()
    await page.getByRole('link', { name: email }).first().click()
    await page.getByRole('heading', { level: 1, name: email }).waitFor()
    await page.goBack()
    await choose(page, 'Assign payer')
    await page.getByRole('button', { name: 'Remove assignment' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
}
