import { addDays, listDays, MAX_DAYS_IN_RANGE } from '@whence/server/platform/contract/dates.ts'
import { type KeyboardEvent, useRef, useState } from 'react'
import { dayText, type Range, rangeText } from '../format/times.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { monthGrid, shiftMonth } from './months.ts'

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** Two clicks select a range; arrow keys move by days and weeks. */
export function Calendar({
  range,
  today,
  onChange,
}: {
  range: Range
  today: string
  onChange: (range: Range) => void
}) {
  const [focus, setFocus] = useState(range.to)
  const [start, setStart] = useState<string | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const month = focus.slice(0, 7)
  const move = (day: string) => {
    const next = day > today ? today : day
    setFocus(next)
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus())
  }
  const press = (day: string) => {
    setFocus(day)
    if (start === null) return setStart(day)
    const [from, to] = start <= day ? [start, day] : [day, start]
    const tooLong = listDays(from, to).length > MAX_DAYS_IN_RANGE
    onChange({ from: tooLong ? addDays(to, 1 - MAX_DAYS_IN_RANGE) : from, to })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(addDays(focus, step))
  }
  const selection = start === null ? range : { from: start, to: start }
  return (
    <div className="calendar">
      <div className="calendar-head">
        <Button
          kind="quiet"
          icon
          small
          aria-label="Previous month"
          onClick={() => setFocus(shiftMonth(focus, -1, today))}
        >
          <Icon name="left" size={16} />
        </Button>
        <strong aria-live="polite">{monthName.format(new Date(`${month}-01T00:00:00Z`))}</strong>
        <Button
          kind="quiet"
          icon
          small
          aria-label="Next month"
          disabled={month >= today.slice(0, 7)}
          onClick={() => setFocus(shiftMonth(focus, 1, today))}
        >
          <Icon name="right" size={16} />
        </Button>
      </div>
      <div className="calendar-grid" ref={grid}>
        {['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'].map((name) => (
          <span key={name} className="weekday" aria-hidden="true">
            {name}
          </span>
        ))}
        {monthGrid(month).map((day) => (
          <button
            key={day}
            type="button"
            data-day={day}
            data-outside={day.startsWith(month) ? undefined : true}
            data-in-range={(day >= selection.from && day <= selection.to) || undefined}
            data-end={day === selection.from || day === selection.to || undefined}
            disabled={day > today}
            tabIndex={day === focus ? 0 : -1}
            aria-label={dayText(day, true)}
            aria-pressed={day === selection.from || day === selection.to}
            onKeyDown={onKeyDown}
            onClick={() => press(day)}
          >
            {Number(day.slice(8))}
          </button>
        ))}
      </div>
      <p className="small muted" role="status">
        {start === null ? rangeText(range.from, range.to) : `From ${dayText(start, true)} to…`}
      </p>
    </div>
  )
}
