import { type ReactNode, useEffect } from 'react'
import { usePageRendered } from '../api/first-reads.ts'
import { HelpLink } from '../pages/help/help-link.tsx'
import { PinButton } from '../shell/pin-button.tsx'

/** Layout of a page: document title, heading, note and controls. */
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
  usePageRendered()
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
