import { Button, Modal, NativeSelect, NumberInput, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import { type BackupTargetKind, backupTargetKinds, CreateBackupTarget } from '@panel/contract/backups'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { backupMessages } from './backups.messages.ts'
import { ConfirmKey } from './confirm-key.tsx'

type FieldName =
  | 'path'
  | 'host'
  | 'port'
  | 'username'
  | 'privateKey'
  | 'hostKey'
  | 'endpoint'
  | 'bucket'
  | 'prefix'
  | 'accessKeyId'
  | 'secretAccessKey'
  | 'url'
  | 'password'
  | 'caCertificate'

const fields: Readonly<Record<BackupTargetKind, readonly FieldName[]>> = {
  FOLDER: ['path'],
  SFTP: ['host', 'port', 'username', 'path', 'privateKey', 'hostKey'],
  S3: ['endpoint', 'bucket', 'prefix', 'accessKeyId', 'secretAccessKey', 'caCertificate'],
  REST: ['url', 'username', 'password', 'caCertificate']
}
const secrets: ReadonlySet<FieldName> = new Set(['secretAccessKey', 'password'])
const longs: ReadonlySet<FieldName> = new Set(['privateKey', 'caCertificate'])
/** Omits empty fields. */
const withoutEmptyFields = z.preprocess(
  (values) => Object.fromEntries(Object.entries(values as object).filter(([, value]) => value !== '')),
  CreateBackupTarget
) as unknown as typeof CreateBackupTarget
const initial: Partial<Record<FieldName, string | number>> = { port: 22 }

export function AddTarget({ onClose }: { onClose(): void }) {
  const t = useMessages(backupMessages)
  const ui = useMessages(uiMessages)
  const [kind, setKind] = useState<BackupTargetKind>('FOLDER')
  const [name, setName] = useState('')
  const [added, setAdded] = useState<Schema<'NewBackupTarget'>>()
  if (added) return <ConfirmKey target={added} shownKey={added.key} onClose={onClose} />
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('target.add')}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="md">
        <TextInput
          label={t('target.name')}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          data-autofocus
        />
        <NativeSelect
          label={t('target.kind')}
          data={backupTargetKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as BackupTargetKind)}
        />
        <PlaceForm key={kind} kind={kind} name={name} onAdded={setAdded} />
      </Stack>
    </Modal>
  )
}

interface PlaceFormProps {
  kind: BackupTargetKind
  name: string
  onAdded(target: Schema<'NewBackupTarget'>): void
}

function PlaceForm({ kind, name, onAdded }: PlaceFormProps) {
  const t = useMessages(backupMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: withoutEmptyFields,
    initialValues: {
      kind,
      name,
      ...Object.fromEntries(fields[kind].map((field) => [field, initial[field] ?? '']))
    } as Schema<'CreateBackupTarget'>,
    send: (body) => data(api.POST('/api/backups/targets', { body })),
    onSaved: async (target) => {
      await client.invalidateQueries({ queryKey: ['backups'] })
      onAdded(target)
    }
  })
  const props = form.getInputProps as unknown as (field: FieldName) => object
  const control = (field: FieldName) => {
    const shared = { label: t(`field.${field}`), autoComplete: 'off', spellCheck: false, ...props(field) }
    if (field === 'port') return <NumberInput key={field} min={1} max={65_535} {...shared} />
    if (secrets.has(field)) return <PasswordInput key={field} {...shared} autoComplete="new-password" />
    if (longs.has(field)) return <Textarea key={field} autosize minRows={2} maxRows={6} {...shared} />
    return <TextInput key={field} {...shared} />
  }
  return (
    <form
      onSubmit={(event) => {
        form.setFieldValue('name', name)
        submit(event)
      }}
      noValidate
    >
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {form.errors.name !== undefined && (
          <Notice tone="bad">{`${t('target.name')}: ${String(form.errors.name)}`}</Notice>
        )}
        {fields[kind].map(control)}
        <p>{t('target.access')}</p>
        <Button type="submit" loading={isPending}>
          {t('target.add')}
        </Button>
      </Stack>
    </form>
  )
}
