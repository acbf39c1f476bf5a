import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { projectMessages } from './projects.messages.ts'

/** What a build would make of a repository. */
export function DetectionFacts({ detection }: { detection: Schema<'Detection'> }) {
  const t = useMessages(projectMessages)
  const { framework, build, start, problem, notes } = detection
  return (
    <div>
      {problem !== null && (
        <Notice tone="bad">
          <Foreign lang="en">{problem}</Foreign>
        </Notice>
      )}
      <Facts
        rows={[
          { name: t('detection.framework'), value: framework ?? t('detection.none') },
          { name: t('detection.build'), value: build ? <code>{build.command}</code> : t('detection.nothing') },
          { name: t('detection.start'), value: start ? <code>{start.command}</code> : t('detection.nothing') }
        ]}
      />
      {notes.map((note) => (
        <p key={note}>
          <Foreign lang="en">{note}</Foreign>
        </p>
      ))}
    </div>
  )
}
