import { useMessages } from '../../i18n/i18n.tsx'
import { ChangeList } from '../../ui/change-list.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { variableMessages } from './variables.messages.ts'
import type { EnvChanges } from './variables.queries.ts'

const kinds = [
  { kind: 'added', tone: 'ok' },
  { kind: 'changed', tone: 'warn' },
  { kind: 'removed', tone: 'bad' }
] as const

/** What a change would do: keys, projects, and references that it breaks. */
export function ChangesSummary({ changes, withKeys }: { changes: EnvChanges; withKeys: boolean }) {
  const t = useMessages(variableMessages)
  const isEmpty = kinds.every(({ kind }) => changes[kind].length === 0)
  if (withKeys && isEmpty) return <p>{t('changes.none')}</p>
  const keys = kinds.map(({ kind, tone }) => ({
    name: t(`changes.${kind}`),
    tone,
    count: changes[kind].length,
    rows: changes[kind].map((key) => ({ text: <Foreign>{key}</Foreign> }))
  }))
  return (
    <ChangeList
      label={t('changes')}
      changes={[
        ...(withKeys ? keys : []),
        {
          name: t('changes.projects'),
          tone: 'info',
          count: changes.projects.length,
          rows: changes.projects.map(({ name, needs }) => ({
            where: t(`needs.${needs}`),
            text: <Foreign>{name}</Foreign>
          }))
        },
        {
          name: t('changes.broken'),
          tone: 'bad',
          count: changes.broken.length,
          rows: changes.broken.map(({ project, key, reference }) => ({
            where: project,
            text: <Foreign>{`${key}: ${reference}`}</Foreign>
          }))
        }
      ]}
    />
  )
}
