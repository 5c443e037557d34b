import { Tabs as Base } from 'radix-ui'
import type { ReactNode } from 'react'

export function Tabs({
  label,
  value,
  onChange,
  tabs,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: string; content: ReactNode }[]
}) {
  return (
    <Base.Root value={value} onValueChange={onChange}>
      <Base.List className="tabs-list" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Trigger key={tab.value} value={tab.value} className="tab">
            {tab.label}
          </Base.Trigger>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Content key={tab.value} value={tab.value} className="tab-panel">
          {tab.content}
        </Base.Content>
      ))}
    </Base.Root>
  )
}
