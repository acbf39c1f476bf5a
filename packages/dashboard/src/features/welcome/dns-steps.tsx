import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import type { Steps } from './use-steps.ts'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'
import type { CheckedRecord } from './welcome.queries.ts'

/** The name of the panel, and whether it leads here. */
export function DomainStep({ steps: { dns, panelRecord } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  if (panelRecord === undefined)
    return <NoName publicIp={dns.data?.publicIp ?? null} domain={dns.data?.domain ?? null} />
  return <Records records={[panelRecord]} note={t('looks')} />
}

/** Names and addresses are read at the start: what to write down, and where. */
function NoName({ publicIp, domain }: { publicIp: string | null; domain: string | null }) {
  const t = useMessages(welcomeMessages)
  const [name, setName] = useState(domain ?? '')
  const known = name.trim().toLowerCase() || 'panel.example.com'
  return (
    <div className={classes.body}>
      <Notice tone="info">{t(publicIp === null ? 'domain.noAddress' : 'domain.none')}</Notice>
      <TextInput
        label={t('domain.name')}
        description={t('domain.name.hint')}
        placeholder="panel.example.com"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <CopyField label={t('domain.file')} value={`PANEL_DOMAIN=${known}`} />
      <CopyField label={t('domain.base')} value={`BASE_DOMAIN=apps.${known}`} />
      {publicIp === null && <CopyField label={t('domain.address')} value="PUBLIC_IP=203.0.113.7" />}
      <CopyField label={t('domain.again')} value="./panel up" />
    </div>
  )
}

/** The other names of the server: sites, the API, webmail. */
export function RecordsStep({ steps: { others } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  if (others.length === 0) return <Notice tone="info">{t('records.later')}</Notice>
  return <Records records={others} note={t('looks')} />
}

const tones: Record<CheckedRecord['state'], Tone> = { Live: 'ok', 'Not pointed here yet': 'warn', 'Not found': 'bad' }

function Records({ records, note }: { records: readonly CheckedRecord[]; note: string }) {
  const t = useMessages(welcomeMessages)
  return (
    <div className={classes.body}>
      {records.map((record) => (
        <div key={record.name} className={classes.record} role="group" aria-label={record.name}>
          <div className={classes.state}>
            <strong>{t(`purpose.${purposeOf(record.name)}`)}</strong>
            <StatusBadge tone={tones[record.state]}>{t(`state.${record.state}`)}</StatusBadge>
          </div>
          <CopyField label={t('record.name', { type: record.type })} value={record.name} />
          <CopyField label={t('record.value')} value={record.value} />
          <Seen record={record} />
        </div>
      ))}
      <p className={classes.note} role="status">
        {note}
      </p>
    </div>
  )
}

const purposeOf = (name: string) =>
  name.startsWith('*.') ? 'sites' : name.startsWith('api.') ? 'api' : name.startsWith('webmail.') ? 'webmail' : 'panel'

/** What the resolvers see instead, where it is not this server. */
function Seen({ record: { state, resolvers } }: { record: CheckedRecord }) {
  const t = useMessages(welcomeMessages)
  const values = [...new Set(resolvers.flatMap((each) => each.values))]
  if (state !== 'Not pointed here yet' || values.length === 0) return null
  return (
    <p className={classes.note}>
      {t('record.sees')} <code dir="ltr">{values.join(', ')}</code>
    </p>
  )
}
