import { type ReactNode, useId } from 'react'

export function Card({
  title,
  note,
  actions,
  flush,
  foot,
  children,
}: {
  title?: string
  note?: ReactNode
  actions?: ReactNode
  /** Content reaches the edges: tables and lists. */
  flush?: boolean
  foot?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={title ? id : undefined}>
      {title ? (
        <div className="card-head">
          <div>
            <h2 id={id}>{title}</h2>
            {note ? <p>{note}</p> : null}
          </div>
          {actions ? <div className="toolbar">{actions}</div> : null}
        </div>
      ) : null}
      {flush ? children : <div className="card-body">{children}</div>}
      {foot ? <div className="card-foot">{foot}</div> : null}
    </section>
  )
}
