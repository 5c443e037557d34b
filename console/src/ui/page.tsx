import { type ReactNode, useEffect } from 'react'
import { usePageIsDrawn } from '../api/first-reads.ts'
import { HelpLink } from '../pages/help/help-link.tsx'
import { PinButton } from '../shell/pin-button.tsx'

/** A page's frame: its name in the tab and in the heading, what it is about, and its controls. */
export function Page({
  title,
  crumbs,
  note,
  actions,
  children,
}: {
  title: string
  crumbs?: ReactNode
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  usePageIsDrawn()
  useEffect(() => {
    document.title = `${title} · Whence`
  }, [title])
  return (
    <div className="page">
      <header className="page-head">
        <div>
          {crumbs}
          <div className="page-title">
            <h1>{title}</h1>
            <HelpLink title={title} />
            <PinButton />
          </div>
          {note ? <p>{note}</p> : null}
        </div>
        {actions ? <div className="toolbar">{actions}</div> : null}
      </header>
      {children}
    </div>
  )
}
