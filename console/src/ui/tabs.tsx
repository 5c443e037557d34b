import { Tabs as Base } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'

export function Tabs({
  label,
  value: requested,
  onChange,
  tabs,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  tabs: readonly { value: string; label: string; content: ReactNode }[]
}) {
  // The URL may contain an unknown tab.
  const value = (tabs.find((tab) => tab.value === requested) ?? tabs[0]!).value
  const list = useRef<HTMLDivElement>(null)
  // On a phone, the open tab may be outside the visible part of the strip.
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
