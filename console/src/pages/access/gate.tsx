import { type ReactNode, useEffect } from 'react'
import { basePath } from '../../base-path.ts'

/** Layout of the pages outside a profile: signing in, invitations and links from emails. */
export function Gate({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Whence`
  }, [title])
  return (
    <main className="gate">
      <div className="gate-frame">
        <div className="brand">
          <img src={`${basePath}/favicon.svg`} alt="" />
          Whence
        </div>
        <div className="gate-card">
          <div>
            <h1>{title}</h1>
            {note ? <p className="muted">{note}</p> : null}
          </div>
          {children}
        </div>
        <p className="small faint">Which ad earned which sale, and why.</p>
      </div>
    </main>
  )
}
