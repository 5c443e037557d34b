/** HTML templates with all values escaped, for the pages that the service renders itself. */
export type Html = { readonly html: string }

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function html(
  parts: TemplateStringsArray,
  ...values: (Html | string | number | null | Html[])[]
): Html {
  let text = parts[0]!
  values.forEach((value, index) => {
    text += render(value) + parts[index + 1]!
  })
  return { html: text }
}

function render(value: Html | string | number | null | Html[]): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((part) => part.html).join('')
  if (typeof value === 'object') return value.html
  return String(value).replace(/[&<>"']/g, (character) => escapes[character]!)
}
