import { readTraits } from './leads.ts'
import { classifyLink } from './links.ts'
import type { Tracker } from './shared.ts'
import { siteHost } from './store.ts'
import { clean } from './text.ts'

/** The link of an event's target, also inside open shadow trees. */
export function linkOf(event: Event): HTMLAnchorElement | undefined {
  const target = (event.composedPath()[0] || event.target) as Element | null
  const anchor = target?.closest?.<HTMLAnchorElement>('a[href],area[href]')
  // The href of an SVG link is not a string.
  if (anchor && typeof anchor.href === 'string') return anchor
}

export function watchClicks(tracker: Tracker): void {
  const onClick = (event: Event) => {
    const anchor = linkOf(event)
    if (!anchor) return
    const link = classifyLink(anchor.href, siteHost())
    if (!link) return
    const { type, ...rest } = link
    tracker.record(type, type, {
      href: clean(anchor.href, 2048),
      ...rest,
      text: clean(anchor.textContent, 100) || undefined,
    })
  }
  // Capture, because pages stop the propagation of their own clicks.
  document.addEventListener('click', onClick, true)
  document.addEventListener(
    'auxclick',
    (event) => {
      if (event.button === 1) onClick(event)
    },
    true,
  )
}

export function watchForms(tracker: Tracker, mode: string): void {
  if (mode === 'off') return
  const recordedForms = new Set<string>()
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement) || form.hasAttribute('data-whence-ignore')) return
      const mark = form.getAttribute('data-whence-form')
      if (mark === null && (mode === 'marked' || form.querySelector('input[type=password]'))) return
      const inputs = Array.from(form.querySelectorAll<HTMLInputElement>('input'))
      const traits = readTraits(
        inputs.map((input) => ({
          type: input.type,
          name: input.name || input.id,
          autocomplete: input.autocomplete || '',
          value: input.value,
        })),
      )
      if (mark === null && !traits.email && !traits.phone) return
      // Attributes, because a field named "id" or "name" hides the form's own property.
      const properties = {
        form_id: clean(form.getAttribute('id'), 200) || undefined,
        form_name: clean(form.getAttribute('name'), 200) || undefined,
        form_action: clean(form.getAttribute('action'), 2048) || undefined,
      }
      const formKey = JSON.stringify([properties, traits])
      if (recordedForms.has(formKey)) return
      recordedForms.add(formKey)
      tracker.record('form_lead', mark || 'lead_created', properties, traits)
    },
    true,
  )
}
