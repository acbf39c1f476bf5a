import { Button, TextInput } from '@mantine/core'
import { ChangeSettings } from '@panel/contract/settings'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { addressesQuery, changeSettings, settingsQuery } from '../settings/settings.queries.ts'
import type { Steps } from './use-steps.ts'
import { welcomeMessages } from './welcome.messages.ts'
import classes from './welcome.module.css'
import { type CheckedRecord, dnsCheckQuery } from './welcome.queries.ts'

/** The panel's domain, then the records that it needs with a check of each. */
export function DomainStep({ steps: { dns } }: { steps: Steps }) {
  const t = useMessages(welcomeMessages)
  const { data: settings } = useQuery(settingsQuery)
  const { data: addresses } = useQuery(addressesQuery)
  const [isEditing, setEditing] = useState(false)
  const info = dns.data
  if (!info || !settings || !addresses) return null
  if (isEditing || info.domain === null || info.publicIp === null)
    return (
      <NamesForm
        key={String(isEditing)}
        domain={info.domain ?? ''}
        publicIp={info.publicIp ?? addresses.suggestedIp ?? ''}
        onSaved={() => setEditing(false)}
      />
    )
  return (
    <div className={classes.body}>
      <Records records={info.records} note={t('looks')} />
      <div>
        <Button variant="default" onClick={() => setEditing(true)}>
          {t('domain.change')}
        </Button>
      </div>
    </div>
  )
}

interface NamesFormProps {
  domain: string
  publicIp: string
  onSaved(): void
}

function NamesForm({ domain, publicIp, onSaved }: NamesFormProps) {
  const t = useMessages(welcomeMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: ChangeSettings,
    initialValues: { variables: { PANEL_DOMAIN: domain, PUBLIC_IP: publicIp } },
    send: ({ variables: { PANEL_DOMAIN = '', PUBLIC_IP = '' } = {} }) => {
      const name = String(PANEL_DOMAIN).trim().toLowerCase()
      return changeSettings({
        variables: { PANEL_DOMAIN: name, BASE_DOMAIN: `apps.${name}`, PUBLIC_IP: String(PUBLIC_IP).trim() }
      })
    },
    onSaved: async (settings) => {
      client.setQueryData(settingsQuery.queryKey, settings)
      await client.invalidateQueries({ queryKey: dnsCheckQuery.queryKey })
      onSaved()
    }
  })
  return (
    <form onSubmit={submit} noValidate className={classes.body}>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <TextInput
        label={t('domain.name')}
        description={t('domain.name.hint')}
        placeholder="panel.example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('variables.PANEL_DOMAIN')}
      />
      <TextInput
        label={t('domain.address')}
        description={t('domain.address.hint')}
        autoComplete="off"
        {...form.getInputProps('variables.PUBLIC_IP')}
      />
      <div>
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}

const tones: Record<CheckedRecord['state'], Tone> = { Live: 'ok', 'Not pointed here yet': 'warn', 'Not found': 'bad' }

function Records({ records, note }: { records: readonly CheckedRecord[]; note: string }) {
  const t = useMessages(welcomeMessages)
  return (
    <>
      {records.map((record) => (
        <div key={`${record.type} ${record.name}`} className={classes.record} role="group" aria-label={record.name}>
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
    </>
  )
}

const purposeOf = (name: string) =>
  name.startsWith('*.') ? 'sites' : name.startsWith('api.') ? 'api' : name.startsWith('webmail.') ? 'webmail' : 'panel'

/** Shows what resolvers return instead of this server's address. */
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
