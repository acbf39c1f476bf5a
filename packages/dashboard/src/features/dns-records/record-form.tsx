import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { CreateDnsRecord, defaultTtl } from '@panel/contract/dns-records'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { useIsUnavailable } from '../system/health.queries.ts'
import classes from './dns-records.module.css'
import { dnsRecordMessages } from './dns-records.messages.ts'
import { type DnsRecord, numbersOf, recordsKey, type RecordType, recordTypes } from './dns-records.queries.ts'
import { secondsOf, ttlText } from './ttl.ts'

const DnsRecordForm = CreateDnsRecord.extend({
  ttl: z.string().transform((text, context) => {
    const seconds = secondsOf(text)
    if (seconds === undefined)
      context.addIssue({ code: 'custom', message: 'must be a number of seconds or a duration such as 1h 30m' })
    return seconds ?? z.NEVER
  })
})

interface RecordFormProps {
  domainId: string
  record?: DnsRecord
  onDone?(): void
}

export function RecordForm({ domainId, record, onDone }: RecordFormProps) {
  const t = useMessages(dnsRecordMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const isUnavailable = useIsUnavailable('nameServer')
  const [type, setType] = useState<RecordType>(record?.type ?? 'A')
  const numbers = numbersOf(type)
  const { form, submit, isPending, failure } = useContractForm({
    schema: DnsRecordForm,
    initialValues: {
      type: record?.type ?? 'A',
      name: record?.name ?? '',
      value: record?.value ?? '',
      ttl: ttlText(record?.ttl ?? defaultTtl),
      priority: record?.priority ?? null,
      weight: record?.weight ?? null,
      port: record?.port ?? null
    },
    send: ({ type: of, priority, weight, port, ...values }) => {
      const given = { priority, weight, port }
      const body = { ...values, ...Object.fromEntries(numbersOf(of).map((number) => [number, given[number] ?? 0])) }
      return record
        ? data(
            api.PATCH('/api/domains/{id}/dns/{recordId}', {
              params: { path: { id: domainId, recordId: record.id } },
              body
            })
          )
        : data(api.POST('/api/domains/{id}/dns', { params: { path: { id: domainId } }, body: { type: of, ...body } }))
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: recordsKey(domainId) })
      if (onDone) onDone()
      else form.reset()
    }
  })
  return (
    <form
      onSubmit={submit}
      noValidate
      className={classes.form}
      onKeyDown={({ key }) => key === 'Escape' && onDone?.()}
      aria-label={record ? t('edit', { name: record.name, type: record.type }) : t('add')}
    >
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <div className={classes.fields}>
        {!record && (
          <NativeSelect
            label={t('type')}
            data={[...recordTypes]}
            value={type}
            onChange={({ target }) => {
              setType(target.value as RecordType)
              form.setFieldValue('type', target.value as RecordType)
            }}
          />
        )}
        <TextInput
          className={classes.short!}
          label={t('name')}
          placeholder="@"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('name')}
          key={form.key('name')}
        />
        {numbers.map((number) => (
          <NumberInput
            className={classes.number!}
            key={form.key(number)}
            label={t(number)}
            hideControls
            min={0}
            max={65_535}
            {...form.getInputProps(number)}
          />
        ))}
        <TextInput
          className={classes.long!}
          label={t('value')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={record !== undefined}
          {...form.getInputProps('value')}
          key={form.key('value')}
        />
        <TextInput
          className={classes.number!}
          label={t('ttl')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('ttl')}
          key={form.key('ttl')}
        />
        <Button type="submit" loading={isPending} disabled={isUnavailable}>
          {t(record ? 'save' : 'add')}
        </Button>
        {record && (
          <Button variant="default" onClick={onDone}>
            {ui('cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
