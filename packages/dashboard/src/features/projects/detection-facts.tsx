import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import type { Translate } from '../../i18n/messages.ts'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { failureMessages } from '../../ui/shared-texts/failure.messages.ts'
import type english from './projects.en.json'
import { projectMessages } from './projects.messages.ts'

export function DetectionFacts({ detection }: { detection: Schema<'Detection'> }) {
  const t = useMessages(projectMessages)
  const { runtime, framework, build, start, problem, sentences, notes, noteSentences } = detection
  if (sentences.some(({ code }) => code === 'NOTHING_FETCHED')) return <p>{t('detection.unfetched')}</p>
  if (problem !== null)
    return (
      <Notice tone="bad">
        <SentenceText by={{ reason: failureMessages }} sentences={sentences}>
          {problem}
        </SentenceText>
      </Notice>
    )
  return (
    <div>
      <Facts
        rows={[
          ...(runtime === null ? [] : [{ name: t('fact.version'), value: runtimeText(t, runtime) }]),
          { name: t('detection.framework'), value: framework ?? t('detection.none') },
          { name: t('detection.build'), value: build ? <code>{build.command}</code> : t('detection.nothing') },
          { name: t('detection.start'), value: start ? <code>{start.command}</code> : t('detection.nothing') }
        ]}
      />
      {notes.map((note, at) => (
        <p key={note}>
          <SentenceText by={{ note: projectMessages }} sentences={noteSentences.slice(at, at + 1)}>
            {note}
          </SentenceText>
        </p>
      ))}
    </div>
  )
}

type Texts = Translate<typeof english>

/** `Node.js 22 (.nvmrc: lts/jod)` */
function runtimeText(t: Texts, { name, version, source, file, wanted }: NonNullable<Schema<'Detection'>['runtime']>) {
  const reason = source === 'FILE' ? `${file}: ${wanted}` : t(`version.${source}`)
  return t('version.why', { version: `${name} ${version}`, reason })
}
