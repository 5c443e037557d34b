import { Tabs as Base } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

export function Tabs({
  label,
  value: wanted,
  onChange,
  tabs,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: string; content: ReactNode }[]
}) {
  // An address may name a tab that there is not.
  const value = (tabs.find((tab) => tab.value === wanted) ?? tabs[0]!).value
  const list = useRef<HTMLDivElement>(null)
  // On a phone the strip is wider than the screen: an address may lead to a tab that is out of sight.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>(`[role="tab"][id$="-trigger-${value}"]`)
    if (list.current && open) list.current.scrollLeft = open.offsetLeft - list.current.offsetLeft
  }, [value])
  return (
    <Base.Root value={value} onValueChange={onChange}>
      <Base.List ref={list} className="tabs-list" aria-label={label}>
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
