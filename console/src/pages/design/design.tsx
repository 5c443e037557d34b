import { type ReactNode, useState } from 'react'
import type { Point } from '../../charts/series.ts'
import { axisMoney, money } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Chart } from '../../ui/chart.tsx'
import { col } from '../../ui/columns.ts'
import { CodeBlock } from '../../ui/copy.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Check, Choice, Field } from '../../ui/field.tsx'
import { Icon, iconNames } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Stat } from '../../ui/stat.tsx'
import { useToast } from '../../ui/toast.tsx'

const colors = [
  'bg',
  'surface',
  'surface-2',
  'surface-3',
  'line',
  'line-strong',
  'text',
  'text-2',
  'text-3',
  'accent',
  'accent-soft',
  'good',
  'good-soft',
  'warn',
  'warn-soft',
  'bad',
  'bad-soft',
  'chart-1',
  'chart-2',
  'chart-3',
  'chart-4',
  'chart-5',
]

type Row = { name: string; spend: number; revenue: number }
const rows: Row[] = [
  { name: 'Spring sale', spend: 1200, revenue: 5400 },
  { name: 'A campaign whose name is so long that it has to wrap onto a second line', spend: 800, revenue: 0 },
]
const columns: Column<Row>[] = [
  col.text('name', 'Name', (row) => row.name),
  col.money('spend', 'Spend', (row) => row.spend, 'USD'),
  col.money('revenue', 'Revenue', (row) => row.revenue, 'USD'),
]
const points: Point[] = [4, 9, 6, 12, 8, 15, 11].map((value, day) => ({
  label: `May ${day + 1}`,
  title: `May ${day + 1}, 2026`,
  values: { revenue: value * 1000, spend: 3000, before: value * 800 },
  dates: { before: `Apr ${day + 24}, 2026` },
}))

/** All UI components on one page, as a reference for new pages. */
export function Design() {
  return (
    <main>
      <Page title="Design system" note="The parts in console/src/ui and the tokens in styles/tokens.css.">
        <Tokens />
        <Controls />
        <Surfaces />
        <Data />
      </Page>
    </main>
  )
}

function Tokens() {
  return (
    <Card title="Colours, type and icons">
      <div className="stack">
        <ul className="swatches" aria-label="Colours">
          {colors.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              <code>--{name}</code>
            </li>
          ))}
        </ul>
        <h1>Page title, 22 px</h1>
        <h2>Card title, 15 px</h2>
        <h3>Small title, 14 px</h3>
        <p>Body text, 14 px. Figures are tabular: 1,234.50</p>
        <p className="small muted">Small and muted, 13 px</p>
        <ul className="toolbar" aria-label="Icons">
          {iconNames.map((name) => (
            <li key={name} title={name}>
              <Icon name={name} />
              <span className="sr-only">{name}</span>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function Controls() {
  const [value, setValue] = useState<'one' | 'two'>('one')
  const [open, setOpen] = useState(false)
  const toast = useToast()
  return (
    <Card title="Controls">
      <div className="stack">
        <div className="toolbar">
          <Button kind="primary">Primary</Button>
          <Button>Default</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="danger">Danger</Button>
          <Button small>Small</Button>
          <Button disabled>Disabled</Button>
          <Menu trigger={<Button>Menu</Button>}>
            <MenuItem onSelect={() => toast('Done')}>Show a toast</MenuItem>
            <MenuItem danger onSelect={() => toast('It did not work', 'bad')}>
              Show an error toast
            </MenuItem>
          </Menu>
          <Button onClick={() => setOpen(true)}>Dialog</Button>
        </div>
        <Segmented
          label="One of two"
          value={value}
          options={[
            { value: 'one', label: 'One' },
            { value: 'two', label: 'Two' },
          ]}
          onChange={setValue}
        />
        <div className="form-row">
          <Field label="Field" hint="A hint." />
          <Field label="With a problem" problem="What to correct." defaultValue="wrong" />
          <Choice label="Choice" options={[{ value: 'a', label: 'An option' }]} />
        </div>
        <Check label="Check" hint="With a hint." />
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="A dialog"
        note="Its first field has the focus."
      >
        <Field label="Name" />
        <div className="form-actions">
          <Button onClick={() => setOpen(false)}>Close</Button>
        </div>
      </Dialog>
    </Card>
  )
}

function Surfaces() {
  return (
    <>
      <Notice>Plain: something to know.</Notice>
      <Notice tone="good">Good: it worked.</Notice>
      <Notice tone="warn">Warning: figures may be wrong.</Notice>
      <Notice tone="bad">Bad: it did not work, and what to do.</Notice>
      <Card title="Badges, code and empty state">
        <div className="stack">
          <Line>
            <Badge>Plain</Badge>
            <Badge tone="good">Good</Badge>
            <Badge tone="warn">Warn</Badge>
            <Badge tone="bad">Bad</Badge>
            <Badge tone="accent">Accent</Badge>
          </Line>
          <CodeBlock text="<script src=…></script>" />
          <Empty icon="campaigns" title="Nothing here yet">
            What will appear here and how to get there.
          </Empty>
          <SkeletonRows rows={3} />
        </div>
      </Card>
    </>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <div className="toolbar">{children}</div>
}

function Data() {
  return (
    <>
      <dl className="grid-stats">
        <Stat label="Spend" value="$16,159" detail="All ad accounts" />
        <Stat label="Total ROAS" value="4.71×" detail="Revenue ÷ spend" />
      </dl>
      <Card title="Table" flush>
        <DataTable label="Sample table" columns={columns} rows={rows} rowKey={(row) => row.name} />
      </Card>
      <Card title="Chart">
        <Chart
          height={260}
          props={{
            summary: 'A sample of revenue and spend over a week.',
            points,
            series: [
              { key: 'revenue', label: 'Revenue', color: 'var(--chart-1)', kind: 'area' },
              { key: 'spend', label: 'Spend', color: 'var(--chart-4)', kind: 'line' },
              {
                key: 'before',
                label: 'Revenue, previous period',
                color: 'var(--chart-1)',
                kind: 'line',
                dashed: true,
              },
            ],
            format: (value) => money(value, 'USD'),
            tick: (value) => axisMoney(value, 'USD'),
          }}
        />
      </Card>
    </>
  )
}
