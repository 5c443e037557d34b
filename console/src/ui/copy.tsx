import { useState } from 'react'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { Icon } from './icon.tsx'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = () => {
    copyText(text).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 1600)
      },
      () => setCopied(false),
    )
  }
  return (
    <Button small onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} size={15} />
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}

/** Code with a copy button. */
export function CodeBlock({ text }: { text: string }) {
  return (
    <div className="code">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  )
}
