import { Link, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import text from '../../../../docs/console.md?raw'
import { useProfileContext } from '../../api/profile.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { type Block, readGuide, readRuns } from './guide.ts'

const guide = readGuide(text)
const topics = guide.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? block : []))

/** The whole guide, scrolled to the section in the URL's hash. */
export function Help() {
  const { profile } = useProfileContext()
  const { hash } = useLocation()
  useEffect(() => {
    const heading = hash === '' ? null : document.getElementById(hash)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [hash])
  return (
    <Page title="Help" note="What each page shows and what to do there.">
      <div className="help">
        <nav className="help-topics" aria-label="Topics">
          {topics.map(({ id, text: name }) => (
            <Link
              key={id}
              to="/p/$profileId/help"
              params={{ profileId: profile.id }}
              hash={id}
              aria-current={hash === id ? 'true' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
        <Card>
          <div className="prose">
            {guide.map((block) => (
              <BlockView key={block.text} block={block} />
            ))}
          </div>
        </Card>
      </div>
    </Page>
  )
}

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    const Heading = block.level === 2 ? 'h2' : 'h3'
    return (
      <Heading id={block.id} tabIndex={-1}>
        {block.text}
      </Heading>
    )
  }
  return (
    <p>
      {readRuns(block.text).map(({ text: runText, as: Tag }) =>
        Tag === 'plain' ? runText : <Tag key={runText}>{runText}</Tag>,
      )}
    </p>
  )
}
